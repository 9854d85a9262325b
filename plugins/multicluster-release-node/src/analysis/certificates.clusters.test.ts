import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { REAL_CLUSTERS_MILLISECONDS } from '../clusters/testing/realClusters';
import { sendJson } from '../clusters/testing/scriptedServer';
import { temporaryFolder, type TemporaryFolder } from '../clusters/testing/temporaryFolder';
import { measurementOf, Measurers } from './testing/measurerSetup';
import { makeCertificates, type Certificates } from './testing/realCertificates';

jest.setTimeout(60_000);

const ANSWER = { status: 'success', data: { resultType: 'scalar', result: [1, '3'] } };

describe('a server of measurements that speaks TLS', () => {
  const measurers = new Measurers();
  let folder: TemporaryFolder;
  let certificates: Certificates;
  let server: Server;
  let address: string;
  let queries = 0;

  beforeAll(async () => {
    folder = await temporaryFolder();
    certificates = await makeCertificates(folder.path);
    const [cert, key] = await Promise.all(
      [certificates.certificate, certificates.key].map(file => readFile(file)),
    );
    server = createServer({ cert, key }, (_, response) => {
      queries += 1;
      sendJson(response, 200, ANSWER);
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }, REAL_CLUSTERS_MILLISECONDS);

  beforeEach(() => {
    queries = 0;
  });

  afterEach(() => measurers.close());

  afterAll(async () => {
    await new Promise<void>(resolve => (server ? server.close(() => resolve()) : resolve()));
    await folder?.remove();
  });

  const up = measurementOf({ kind: 'prometheus', query: 'up' });

  it('is asked where caFile names who signed its certificate', async () => {
    const { authority: caFile } = certificates;
    expect(await measurers.read({ prometheus: { address, caFile } }, up)).toMatchObject({
      result: 'value',
      value: 3,
    });
    expect(queries).toBe(1);
  });

  it('is not asked where nobody that is trusted has signed it', async () => {
    expect(await measurers.read({ prometheus: { address } }, up)).toMatchObject({
      result: 'error',
      message: expect.stringMatching(/has a certificate that is not trusted \(\w+\); caFile/),
    });
    expect(queries).toBe(0);
  });

  it('is not asked by another name than that of its certificate', async () => {
    const { authority: caFile } = certificates;
    const other = address.replace('127.0.0.1', '127.0.0.2');
    const reading = await measurers.read({ prometheus: { address: other, caFile } }, up);
    expect(reading).toMatchObject({ result: 'error' });
    expect(queries).toBe(0);
  });
});
