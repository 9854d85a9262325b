import type { Measurement } from '../../ports';
import {
  scriptedServer,
  sendJson,
  type ScriptedServer,
} from '../../clusters/testing/scriptedServer';
import { measurementOf, Measurers } from './measurerSetup';

/** A reading of Prometheus on cluster eu-1. */
export const ask = (more: object = {}, where: Partial<Measurement> = {}) =>
  measurementOf({ kind: 'prometheus', query: 'up', ...more }, where);

export const success = (resultType: string, result: unknown) => ({
  status: 'success',
  data: { resultType, result },
});

/** A vector with one series for each value. */
export const series = (...values: string[]) =>
  success(
    'vector',
    values.map((value, index) => ({ metric: { n: String(index) }, value: [1, value] })),
  );

export const hostOf = ({ url }: ScriptedServer) => url.replace('http://', '');

/** Servers of one test file, which end with `close`. */
export class Servers {
  private readonly open: { close(): Promise<void> }[] = [];

  async serve(answer: Parameters<typeof scriptedServer>[0]): Promise<ScriptedServer> {
    const server = await scriptedServer(answer);
    this.add(server);
    return server;
  }

  /** Answers every request with this. */
  serveBody(body: unknown, status: number = 200): Promise<ScriptedServer> {
    return this.serve((_, response) => sendJson(response, status, body));
  }

  add(server: { close(): Promise<void> }): void {
    this.open.push(server);
  }

  async close(): Promise<void> {
    await Promise.all(this.open.splice(0).map(each => each.close()));
  }
}

/** Measurers and servers of a test file, which end after each test. */
export function measurersAndServers(): { measurers: Measurers; servers: Servers } {
  // Real sockets on a machine that may be busy.
  jest.setTimeout(60_000);
  const measurers = new Measurers();
  const servers = new Servers();
  afterEach(async () => {
    await measurers.close();
    await servers.close();
  });
  return { measurers, servers };
}
