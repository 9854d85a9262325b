import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { request } from './request.mjs';

const CLUSTER_ROLE = join(
  dirname(fileURLToPath(import.meta.url)),
  '..',
  '..',
  '..',
  'docs',
  'cluster-role.yaml',
);
const NODES = ['node-1', 'node-2'];
const READY_WITHIN_MILLISECONDS = 120_000;

/** Waits for the API server, then makes what a cluster must have: rights of our identity, and ready nodes. */
export async function prepareCluster(program, folder, name, cluster) {
  const ca = await readFile(join(folder, 'pki', 'ca.crt'), 'utf8');
  const ask = options => request({ port: cluster.port, token: cluster.adminToken, ca, ...options });
  await until(
    name,
    'its API server answers',
    async () => (await ask({ path: '/readyz' })).status === 200,
  );
  await grant(program, join(folder, name, 'admin.kubeconfig'));
  for (const node of NODES) {
    const made = await ask({ method: 'POST', path: '/api/v1/nodes', body: nodeObject(node) });
    if (made.status !== 201 && made.status !== 409) {
      throw new Error(
        `Cluster ${name}: node ${node} could not be made: ${made.status} ${JSON.stringify(
          made.body,
        )}`,
      );
    }
  }
  await until(name, 'its nodes are ready', async () => {
    const { body } = await ask({ path: '/api/v1/nodes' });
    return body.items?.length > 0 && body.items.every(isReady);
  });
}

/** The identity that the product uses has the rights of docs/cluster-role.yaml and no others. */
async function grant(program, kubeconfig) {
  const binding = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'multicluster-release' },
    roleRef: {
      apiGroup: 'rbac.authorization.k8s.io',
      kind: 'ClusterRole',
      name: 'multicluster-release',
    },
    subjects: [
      { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'multicluster-release' },
    ],
  };
  const apply = [
    'kubectl',
    '--kubeconfig',
    kubeconfig,
    'apply',
    '--server-side',
    '--force-conflicts',
    '-f',
  ];
  await promisify(execFile)(program, [...apply, CLUSTER_ROLE]);
  const child = promisify(execFile)(program, [...apply, '-']);
  child.child.stdin?.end(JSON.stringify(binding));
  await child;
}

function nodeObject(name) {
  const amounts = { cpu: '32', memory: '64Gi', pods: '250', 'ephemeral-storage': '500Gi' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      annotations: { 'kwok.x-k8s.io/node': 'fake' },
      labels: {
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
      },
    },
    status: { capacity: amounts, allocatable: amounts },
  };
}

function isReady(node) {
  return (
    node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ??
    false
  );
}

async function until(name, what, holds) {
  const deadline = Date.now() + READY_WITHIN_MILLISECONDS;
  let last = '';
  while (Date.now() < deadline) {
    try {
      if (await holds()) {
        return;
      }
    } catch (error) {
      last = error.message;
    }
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  throw new Error(
    `Cluster ${name}: waited 120 s until ${what}${
      last && ` (${last})`
    }; see \`npm run clusters -- logs ${name}\`.`,
  );
}
