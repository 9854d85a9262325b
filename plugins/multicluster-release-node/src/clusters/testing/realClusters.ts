import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

// Tests run from source; nothing of this is in a build.
// eslint-disable-next-line no-restricted-syntax
const PROGRAM = resolve(__dirname, '../../../../../dev/clusters/cli.mjs');
/** The first build of the control planes takes minutes. */
export const REAL_CLUSTERS_MILLISECONDS = 20 * 60_000;

export interface RealClusters {
  /** A context `<name>` with the rights of docs/cluster-role.yaml, and `<name>-admin`. */
  kubeconfig: string;
  up(...names: string[]): Promise<void>;
  /** SIGKILL to an API server; `up` brings it back. */
  kill(name: string): Promise<void>;
  /** SIGSTOP to an API server. */
  freeze(name: string): Promise<void>;
  thaw(name: string): Promise<void>;
  /** Ends all of them and forgets their data. */
  remove(): Promise<void>;
}

/** Starts real control planes of one test suite; they end with this process at the latest. */
export async function realClusters(...names: string[]): Promise<RealClusters> {
  const folder = await mkdtemp(join(tmpdir(), 'multicluster-release-suite-'));
  const run = async (...commandLine: string[]) => {
    await promisify(execFile)(
      process.execPath,
      [PROGRAM, ...commandLine, '--data', folder, '--json'],
      {
        maxBuffer: 16 * 1024 * 1024,
      },
    );
  };
  const up = (...more: string[]) => run('up', ...more);
  await run('up', ...names, '--parent-pid', String(process.pid));
  return {
    kubeconfig: join(folder, 'kubeconfig'),
    up,
    kill: name => run('kill', name),
    freeze: name => run('freeze', name),
    thaw: name => run('thaw', name),
    remove: async () => {
      await run('down');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
