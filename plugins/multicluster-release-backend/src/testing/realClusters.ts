import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { writeTokens } from './clusterEntries';

const HARNESS = resolve(__dirname, '../../../../dev/clusters/cli.mjs');

export interface RealClusters {
  kubeconfig: string;
  /** kubectl with all rights on one cluster; answers what it prints. */
  kubectl(cluster: string, ...args: string[]): Promise<string>;
  /** The program and its arguments for the same, for whoever pipes something into it. */
  kubectlCommand(cluster: string, ...args: string[]): [string, string[]];
  /** Ends the API server at once, stops it without an answer, lets it go on, or starts it again. */
  outage(command: 'kill' | 'freeze' | 'thaw' | 'up', cluster: string): Promise<void>;
  remove(): Promise<void>;
}

/** Starts real control planes for one suite; they end with this process at the latest. */
export async function realClusters(...names: string[]): Promise<RealClusters> {
  const folder = await mkdtemp(join(tmpdir(), 'multicluster-release-suite-'));
  const kubeconfig = join(folder, 'kubeconfig');
  await harness('up', ...names, '--data', folder, '--json', '--parent-pid', String(process.pid));
  await writeTokens(kubeconfig);
  const { binary } = JSON.parse(await harness('build', '--json'));
  const kubectl = (cluster: string, args: string[]) => [
    'kubectl',
    ...['--kubeconfig', kubeconfig, '--cache-dir', join(folder, 'kubectl-cache')],
    ...['--context', `${cluster}-admin`],
    ...args,
  ];
  return {
    kubeconfig,
    kubectl: (cluster, ...args) => output(binary, kubectl(cluster, args)),
    kubectlCommand: (cluster, ...args) => [binary, kubectl(cluster, args)],
    outage: async (command, cluster) => {
      await harness(command, cluster, '--data', folder, '--json');
    },
    remove: async () => {
      await harness('down', '--data', folder);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function harness(...args: string[]): Promise<string> {
  return output(process.execPath, [HARNESS, ...args]);
}

async function output(program: string, args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}
