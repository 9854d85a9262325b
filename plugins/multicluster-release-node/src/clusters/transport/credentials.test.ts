import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ManualTiming } from '../testing/ManualTiming';
import { temporaryFolder, type TemporaryFolder } from '../testing/temporaryFolder';
import { ExecCredential } from './ExecCredential';
import { renewCredential } from './renewCredential';
import { TokenFileCredential } from './TokenFileCredential';

// Real sockets, files and modules on a machine that may be busy.
jest.setTimeout(60_000);

let folder: TemporaryFolder;
let timing: ManualTiming;

beforeEach(async () => {
  folder = await temporaryFolder();
  timing = new ManualTiming(Date.parse('2026-11-30T00:00:00Z'));
});

afterEach(() => folder.remove());

describe('TokenFileCredential', () => {
  it('takes a new token when the file changes, within ten seconds or when asked', async () => {
    const path = await folder.write('token', 'one\n');
    const source = new TokenFileCredential(path, timing);
    expect(await source.current()).toEqual({ headers: { authorization: 'Bearer one' } });
    await folder.write('token', 'two');
    expect(await source.current()).toEqual({ headers: { authorization: 'Bearer one' } });
    timing.advance(10_000);
    expect(await source.current()).toEqual({ headers: { authorization: 'Bearer two' } });
    const used = await source.current();
    expect(await renewCredential(source, used)).toBe(false);
    await folder.write('token', 'three');
    expect(await renewCredential(source, used)).toBe(true);
    expect(await renewCredential(source, used)).toBe(true);
    expect(await source.current()).toEqual({ headers: { authorization: 'Bearer three' } });
  });

  it.each([
    ['empty', ''],
    ['two lines', 's3cret\nother'],
  ])('refuses a file with %s without quoting it', async (_, content) => {
    const path = await folder.write('token', content);
    const reading = new TokenFileCredential(path, timing).current();
    await expect(reading).rejects.toThrow(`the token file ${path} does not hold one token`);
  });

  it('says which file is not there', async () => {
    const path = join(folder.path, 'gone');
    await expect(new TokenFileCredential(path, timing).current()).rejects.toThrow(
      `${path} cannot be read (ENOENT)`,
    );
  });
});

describe('ExecCredential', () => {
  /** A program that counts its runs and prints a credential. */
  async function program(status: object): Promise<ExecCredential> {
    const answer = JSON.stringify({ kind: 'ExecCredential', status });
    const command = await folder.write(
      'program',
      `#!/bin/sh\necho "$KUBERNETES_EXEC_INFO $REGION $1" >> ${folder.path}/runs\ncat <<'END'\n${answer}\nEND\n`,
    );
    return execOf(command);
  }

  function execOf(command: string): ExecCredential {
    return new ExecCredential(
      {
        apiVersion: 'client.authentication.k8s.io/v1',
        command,
        args: ['arg'],
        env: { REGION: 'eu' },
      },
      timing,
    );
  }

  const runs = async () => (await readFile(join(folder.path, 'runs'), 'utf8')).trim().split('\n');

  it('runs its program once until the credential is about to expire', async () => {
    const source = await program({ token: 'abc', expirationTimestamp: '2026-11-30T01:00:00Z' });
    const [first, second] = await Promise.all([source.current(), source.current()]);
    expect(first).toEqual({ headers: { authorization: 'Bearer abc' } });
    expect(second).toEqual(first);
    timing.advance(59 * 60_000);
    await source.current();
    expect(await runs()).toHaveLength(1);
    timing.advance(31_000);
    await source.current();
    expect(await runs()).toHaveLength(2);
  });

  it('runs it again when the API server does not take the credential', async () => {
    const source = await program({ token: 'abc' });
    expect(await renewCredential(source, await source.current())).toBe(false);
    expect(await runs()).toHaveLength(2);
  });

  it('tells the program how it is asked', async () => {
    const source = await program({ token: 'abc' });
    await source.current();
    const information = {
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      spec: { interactive: false },
    };
    expect(await runs()).toEqual([`${JSON.stringify(information)} eu arg`]);
  });

  it('takes a client certificate', async () => {
    const source = await program({ clientCertificateData: 'CERT', clientKeyData: 'KEY' });
    expect(await source.current()).toEqual({ headers: {}, certificate: 'CERT', key: 'KEY' });
  });

  it.each([
    ['fails', 'echo s3cret; echo s3cret >&2; exit 3', /failed \(3\); run it by hand/],
    ['prints something else', 'echo s3cret', /did not print an ExecCredential/],
    [
      'prints an empty credential',
      `echo '{"kind":"ExecCredential","status":{}}'`,
      /neither a token nor a certificate/,
    ],
  ])('says that a program %s, without what it printed', async (_, script, message) => {
    const asking = execOf(await folder.write('program', `#!/bin/sh\n${script}\n`)).current();
    await expect(asking).rejects.toThrow(message);
    await expect(asking).rejects.not.toThrow('s3cret');
  });

  it('says that a program is not there', async () => {
    await expect(execOf(join(folder.path, 'gone')).current()).rejects.toThrow(
      /gone failed \(ENOENT\)/,
    );
  });
});
