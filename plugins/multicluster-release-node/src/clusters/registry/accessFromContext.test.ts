import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '../testing/temporaryFolder';
import type { AllowedAccess } from './ClustersConfig';
import { accessFromContext } from './accessFromContext';
import { KubeconfigReader } from './KubeconfigReader';
import { loadKubeconfig } from './loadKubeconfig';

// Real sockets, files and modules on a machine that may be busy.
jest.setTimeout(60_000);

const nothing: AllowedAccess = { exec: [], insecureTls: [], http: [] };
const token = { token: 'abc' };

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function kubeconfigOf(cluster: object, user: object): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: 'https://api.acc.example.org', ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'ctx', context: { cluster: 'c', user: 'u' } }],
  });
}

describe('accessFromContext', () => {
  let folder: TemporaryFolder;

  beforeEach(async () => {
    folder = await temporaryFolder();
  });

  afterEach(() => folder.remove());

  async function accessOf(cluster: object, user: object, allow = nothing) {
    const path = await folder.write('config', kubeconfigOf(cluster, user));
    return accessFromContext(await loadKubeconfig(path), 'ctx', 'acc', allow);
  }

  it.each([
    ['a token', {}, token, { credential: { type: 'token', token: 'abc' } }],
    [
      'a password',
      {},
      { username: 'ann', password: 'pw' },
      { credential: { type: 'password', username: 'ann', password: 'pw' } },
    ],
    [
      'a client certificate',
      {},
      { 'client-certificate-data': base64('CERT'), 'client-key-data': base64('KEY') },
      { credential: { type: 'certificate', certificate: 'CERT', key: 'KEY' } },
    ],
    [
      'an authority and a name',
      { 'certificate-authority-data': base64('CA'), 'tls-server-name': 'api' },
      token,
      { certificateAuthority: 'CA', tlsServerName: 'api' },
    ],
    ['somebody to act as', {}, { ...token, as: 'deployer' }, { impersonateUser: 'deployer' }],
    [
      'insecure-skip-tls-verify: false',
      { 'insecure-skip-tls-verify': false },
      token,
      { insecureSkipTlsVerify: false },
    ],
  ])('takes a kubeconfig with %s', async (_, cluster, user, expected) => {
    expect(await accessOf(cluster, user)).toMatchObject({
      type: 'direct',
      server: 'https://api.acc.example.org',
      ...expected,
    });
  });

  it.each([
    ['an auth-provider', {}, { 'auth-provider': { name: 'gcp' } }, /auth-provider/],
    [
      'plain http',
      { server: 'http://10.0.0.1:8080' },
      token,
      /plain http; name ctx in multiclusterRelease.allow.http/,
    ],
    [
      'TLS checks switched off',
      { 'insecure-skip-tls-verify': true },
      token,
      /name ctx in multiclusterRelease.allow.insecureTls/,
    ],
    ['a proxy', { 'proxy-url': 'socks5://x' }, token, /proxy-url/],
    ['no credential', {}, {}, /no token, client certificate or password/],
    ['a token file, which its loader does not read', {}, { tokenFile: '/x' }, /use access.token/],
    [
      'a certificate without a key',
      {},
      { 'client-certificate-data': base64('C') },
      /without a key/,
    ],
    [
      'a missing authority file',
      { 'certificate-authority': 'gone.crt' },
      token,
      /gone.crt cannot be read \(ENOENT\)/,
    ],
    ['a server that is no URL', { server: 'api.example.org:x' }, token, /no URL|scheme/],
    ['another scheme', { server: 'ftp://api.example.org' }, token, /scheme that is not https/],
    [
      'a credential in the URL',
      { server: 'https://a:b@api.example.org' },
      token,
      /holds a credential/,
    ],
  ])('refuses %s', async (_, cluster, user, why) => {
    expect(await accessOf(cluster, user)).toEqual({
      type: 'refused',
      why: expect.stringMatching(why),
    });
  });

  it.each([
    ['by its context', { ...nothing, http: ['ctx'] }],
    ['by its name', { ...nothing, http: ['acc'] }],
  ])('takes plain http where it is allowed %s', async (_, allow) => {
    expect(await accessOf({ server: 'http://10.0.0.1' }, token, allow)).toMatchObject({
      type: 'direct',
    });
  });

  it('takes insecure TLS where it is allowed', async () => {
    const access = await accessOf({ 'insecure-skip-tls-verify': true }, token, {
      ...nothing,
      insecureTls: ['ctx'],
    });
    expect(access).toMatchObject({ type: 'direct', insecureSkipTlsVerify: true });
  });

  it('names the contexts that there are', async () => {
    const path = await folder.write('config', kubeconfigOf({}, token));
    const access = await accessFromContext(await loadKubeconfig(path), 'other', 'acc', nothing);
    expect(access).toEqual({
      type: 'refused',
      why: 'the kubeconfig has no context other; it has ctx',
    });
  });
});

describe('loadKubeconfig', () => {
  let folder: TemporaryFolder;

  beforeEach(async () => {
    folder = await temporaryFolder();
  });

  afterEach(() => folder.remove());

  it('says which file is not there', async () => {
    const path = join(folder.path, 'gone');
    await expect(loadKubeconfig(path)).rejects.toThrow(
      `the kubeconfig ${path} cannot be read (ENOENT)`,
    );
  });

  it.each([
    ['broken YAML', 'users: [{token: s3cret'],
    ['an entry without a server', JSON.stringify({ clusters: [{ name: 's3cret', cluster: {} }] })],
    ['something else', 's3cret: true'],
    ['nothing', ''],
  ])('does not take %s for an empty list, and does not quote it', async (_, content) => {
    const path = await folder.write('config', content);
    const loading = loadKubeconfig(path);
    await expect(loading).rejects.toThrow(`the kubeconfig ${path}`);
    await expect(loading).rejects.not.toThrow('s3cret');
  });
});

/** Field case C15: a kubeconfig that starts a program and switches off TLS checks. */
describe('a supplied kubeconfig', () => {
  let folder: TemporaryFolder;

  beforeEach(async () => {
    folder = await temporaryFolder();
  });

  afterEach(() => folder.remove());

  it('starts no program, is refused by name, and costs the other contexts nothing', async () => {
    const owned = join(folder.path, 'owned');
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'touch', args: [owned] };
    const path = await folder.write(
      'config',
      JSON.stringify({
        clusters: [
          {
            name: 'insecure',
            cluster: { server: 'https://api.acc.example.org', 'insecure-skip-tls-verify': true },
          },
          { name: 'good', cluster: { server: 'https://good.example.org' } },
        ],
        users: [
          { name: 'program', user: { exec } },
          { name: 'token', user: token },
        ],
        contexts: [
          { name: 'acc', context: { cluster: 'insecure', user: 'program' } },
          { name: 'acc-exec', context: { cluster: 'good', user: 'program' } },
          { name: 'good', context: { cluster: 'good', user: 'token' } },
          { name: 'good-admin', context: { cluster: 'good', user: 'token' } },
        ],
      }),
    );
    const reader = new KubeconfigReader({ path, ignoreContextSuffixes: ['-admin'] }, nothing);
    const found = await reader.read();
    expect(found.map(({ info, access }) => [info.name, access.type])).toEqual([
      ['acc', 'refused'],
      ['acc-exec', 'refused'],
      ['good', 'direct'],
    ]);
    expect(found[1].access).toMatchObject({
      why: expect.stringContaining('name acc-exec in multiclusterRelease.allow.exec'),
    });
    expect(existsSync(owned)).toBe(false);
  });

  it('keeps a context that was asked for and is gone in the list', async () => {
    const path = await folder.write('config', kubeconfigOf({}, token));
    const reader = new KubeconfigReader(
      { path, contexts: ['ctx', 'gone'], ignoreContextSuffixes: [] },
      nothing,
    );
    expect((await reader.read()).map(({ info, access }) => [info.name, access.type])).toEqual([
      ['ctx', 'direct'],
      ['gone', 'refused'],
    ]);
  });
});
