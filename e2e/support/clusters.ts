import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const CLUSTERS_CLI = fileURLToPath(new URL('../../dev/clusters/cli.mjs', import.meta.url));

/** Where the placement of the sample service leads, in the order of its groups. */
export const TARGETS = ['cluster-a', 'cluster-b', 'cluster-c', 'cluster-green'] as const;
export type Cluster = (typeof TARGETS)[number];

interface Demonstration {
  binary: string;
  kubeconfig: string;
  data: string;
}

let known: Promise<Demonstration> | undefined;

function demonstration(): Promise<Demonstration> {
  known ??= readFile(join(process.env.E2E_DATA ?? '', 'demonstration.json'), 'utf8').then(text =>
    JSON.parse(text),
  );
  return known;
}

/** What kubectl prints, asked with all rights: the witness of these tests, who knows nothing of ours. */
export async function kubectl(cluster: Cluster, ...args: string[]): Promise<string> {
  const { binary, kubeconfig } = await demonstration();
  const { stdout } = await promisify(execFile)(binary, [
    'kubectl',
    `--kubeconfig=${kubeconfig}`,
    `--context=${cluster}-admin`,
    '--namespace=production',
    ...args,
  ]);
  return stdout;
}

/** The version in the Deployment's image, for example `1.0.0`. */
export async function versionOn(cluster: Cluster): Promise<string> {
  const path = '{.spec.template.spec.containers[0].image}';
  const image = await kubectl(cluster, 'get', 'deployment/checkout', '-o', `jsonpath=${path}`);
  return image.split(':')[1];
}

/** By kubectl, in the order of `TARGETS`. */
export function versions(): Promise<string[]> {
  return Promise.all(TARGETS.map(versionOn));
}

/** `freeze`, `thaw`, `kill` or `up` one cluster. */
export async function outage(action: 'freeze' | 'thaw', cluster: Cluster): Promise<void> {
  const { data } = await demonstration();
  await promisify(execFile)(process.execPath, [CLUSTERS_CLI, action, cluster, '--data', data]);
}
