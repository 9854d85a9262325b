import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const HARNESS = resolve(__dirname, '../../../../dev/clusters/cli.mjs');

export interface RealClusters {
  kubeconfig: string;
  /** kubectl with all rights on one cluster; answers what it prints. */
  kubectl(cluster: string, ...args: string[]): Promise<string>;
  remove(): Promise<void>;
}

/** Starts real control planes for one suite; they end with this process at the latest. */
export async function realClusters(...names: string[]): Promise<RealClusters> {
  const folder = await mkdtemp(join(tmpdir(), 'multicluster-release-suite-'));
  const run = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)(process.execPath, [HARNESS, ...args], { maxBuffer: 1 << 26 });
    return stdout;
  };
  await run('up', ...names, '--data', folder, '--json', '--parent-pid', String(process.pid));
  return {
    kubeconfig: join(folder, 'kubeconfig'),
    kubectl: (cluster, ...args) => run('kubectl', '--data', folder, '--context', `${cluster}-admin`, ...args),
    remove: async () => {
      await run('down', '--data', folder);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
