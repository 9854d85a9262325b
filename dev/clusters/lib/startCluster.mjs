import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeAdminKubeconfig } from './kubeconfig.mjs';
import { freePort } from './ports.mjs';
import { isAlive, startDetached } from './processes.mjs';
import { newToken } from './state.mjs';

const HERE = join(dirname(fileURLToPath(import.meta.url)), '..');

const CONTROLLERS = [
  'deployment-controller',
  'replicaset-controller',
  'statefulset-controller',
  'daemonset-controller',
  'job-controller',
  'cronjob-controller',
  'namespace-controller',
  'garbage-collector-controller',
  'endpointslice-controller',
  'resourcequota-controller',
];

/** Starts those parts of the cluster that do not run. @param {import('./state.mjs').State} state */
export async function startCluster(program, folder, state, name) {
  const cluster = (state.clusters[name] ??= await newCluster(state));
  const own = join(folder, name);
  await mkdir(own, { recursive: true, mode: 0o700 });
  await writeFile(join(own, 'tokens.csv'), tokens(cluster), { mode: 0o600 });
  const kubeconfig = await writeAdminKubeconfig(folder, name, cluster);
  const parts = {
    'kube-apiserver': apiserverArguments(folder, state, name, cluster),
    'kube-controller-manager': controllerManagerArguments(kubeconfig),
    'kube-scheduler': [`--kubeconfig=${kubeconfig}`, '--leader-elect=false', '--secure-port=0'],
    kwok: [
      `--kubeconfig=${kubeconfig}`,
      '--manage-all-nodes=true',
      `--config=${join(HERE, 'stages.yaml')}`,
    ],
  };
  for (const [part, args] of Object.entries(parts)) {
    if (!isAlive(cluster.processes[part])) {
      cluster.processes[part] = startDetached(program, [part, ...args], join(own, `${part}.log`));
    }
  }
}

/** Ports and identities are chosen once, so that a cluster comes back at its address. */
async function newCluster(state) {
  const indices = Object.values(state.clusters).map(cluster => cluster.index);
  const index = Math.max(0, ...indices) + 1;
  return {
    port: await freePort(),
    index,
    adminToken: newToken(),
    token: newToken(),
    processes: {},
  };
}

function tokens({ adminToken, token }) {
  return `${adminToken},admin,admin,system:masters\n${token},multicluster-release,multicluster-release\n`;
}

function apiserverArguments(folder, state, name, cluster) {
  const pki = join(folder, 'pki');
  return [
    `--etcd-servers=http://127.0.0.1:${state.etcd?.port}`,
    `--etcd-prefix=/${name}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${cluster.port}`,
    `--tls-cert-file=${join(pki, 'apiserver.crt')}`,
    `--tls-private-key-file=${join(pki, 'apiserver.key')}`,
    `--token-auth-file=${join(folder, name, 'tokens.csv')}`,
    '--authorization-mode=RBAC',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${join(pki, 'sa.pub')}`,
    `--service-account-signing-key-file=${join(pki, 'sa.key')}`,
    // Without a node lifecycle controller the not-ready taint would stay and nothing be scheduled.
    '--disable-admission-plugins=ServiceAccount,TaintNodesByCondition',
    '--endpoint-reconciler-type=none',
    // Loopback addresses: a process that listens on a Service's address makes that Service real.
    `--service-cluster-ip-range=127.${100 + (cluster.index % 100)}.0.0/16`,
  ];
}

function controllerManagerArguments(kubeconfig) {
  return [
    `--kubeconfig=${kubeconfig}`,
    '--leader-elect=false',
    '--secure-port=0',
    '--kube-api-qps=200',
    '--kube-api-burst=400',
    `--controllers=${CONTROLLERS.join(',')}`,
  ];
}
