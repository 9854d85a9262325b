/**
 * The processes of a cluster and how each is started.
 *
 * One etcd keeps the data of all clusters, each under its own prefix. What can
 * be left out of a control plane of fake nodes is left out: fewer processes,
 * less memory, quicker starts.
 */
import path from 'node:path';

/** The parts of one cluster, in the order in which they start. */
export const CLUSTER_PARTS = ['apiserver', 'controller-manager', 'scheduler', 'kwok'];

/** Without the API server in front of them the others would give up. */
export const CONTROLLER_PARTS = CLUSTER_PARTS.slice(1);

const CONTROLLERS = [
  'deployment-controller',
  'replicaset-controller',
  'statefulset-controller',
  'daemonset-controller',
  'job-controller',
  'namespace-controller',
  'garbage-collector-controller',
  'endpointslice-controller',
  'resourcequota-controller',
  // A claim binds only through these; kwok makes the volumes.
  'persistentvolume-binder-controller',
  'persistentvolumeclaim-protection-controller',
  'persistentvolume-protection-controller',
];

/**
 * @typedef {ReturnType<typeof import('./dataFolder.mjs').dataPaths>} Paths
 * @typedef {import('./dataFolder.mjs').State} State
 */

/** @param {Paths} paths @param {State} state */
export function etcdCommand(paths, state) {
  const client = `https://127.0.0.1:${state.etcd.clientPort}`;
  const peer = `https://127.0.0.1:${state.etcd.peerPort}`;
  const certificate = path.join(paths.etcdPki, 'serving.crt');
  const key = path.join(paths.etcdPki, 'serving.key');
  return [
    'etcd',
    '--name=etcd',
    `--data-dir=${paths.etcdData}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=etcd=${peer}`,
    `--cert-file=${certificate}`,
    `--key-file=${key}`,
    `--trusted-ca-file=${paths.authority}`,
    '--client-cert-auth',
    `--peer-cert-file=${certificate}`,
    `--peer-key-file=${key}`,
    `--peer-trusted-ca-file=${paths.authority}`,
    '--peer-client-cert-auth',
    // The data outlives each process, though not a power cut; that is worth its speed.
    '--unsafe-no-fsync',
    '--log-level=warn',
  ];
}

/** @type {Record<string, (paths: Paths, state: State, cluster: string) => string[]>} */
export const CLUSTER_COMMANDS = {
  apiserver: apiserverCommand,
  'controller-manager': (paths, _state, cluster) => [
    'kube-controller-manager',
    `--kubeconfig=${controllersKubeconfig(paths, cluster)}`,
    `--controllers=${CONTROLLERS.join(',')}`,
    '--leader-elect=false',
    '--secure-port=0',
    '--kube-api-qps=200',
    '--kube-api-burst=400',
    '--concurrent-resource-quota-syncs=2',
    '--pvclaimbinder-sync-period=2s',
  ],
  scheduler: (paths, _state, cluster) => [
    'kube-scheduler',
    `--kubeconfig=${controllersKubeconfig(paths, cluster)}`,
    '--leader-elect=false',
    '--secure-port=0',
    '--kube-api-qps=200',
    '--kube-api-burst=400',
  ],
  kwok: (paths, state, cluster) => [
    'kwok',
    `--kubeconfig=${controllersKubeconfig(paths, cluster)}`,
    `--config=${stagesPath(paths, cluster)}`,
    '--manage-all-nodes=true',
    // There is no node controller that reads leases, and nothing to listen for.
    '--node-lease-duration-seconds=0',
    '--node-port=0',
    `--cidr=10.${state.clusters[cluster].index % 256}.0.0/16`,
  ],
};

/** @param {Paths} paths @param {State} state @param {string} cluster */
function apiserverCommand(paths, state, cluster) {
  const { port, index } = state.clusters[cluster];
  const pki = paths.clusterPki(cluster);
  return [
    'kube-apiserver',
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--cert-dir=${pki}`,
    `--tls-cert-file=${path.join(pki, 'serving.crt')}`,
    `--tls-private-key-file=${path.join(pki, 'serving.key')}`,
    `--etcd-servers=https://127.0.0.1:${state.etcd.clientPort}`,
    `--etcd-cafile=${paths.authority}`,
    `--etcd-certfile=${path.join(paths.etcdPki, 'client.crt')}`,
    `--etcd-keyfile=${path.join(paths.etcdPki, 'client.key')}`,
    `--etcd-prefix=/${cluster}`,
    `--token-auth-file=${tokensPath(paths, cluster)}`,
    '--authorization-mode=RBAC',
    '--external-hostname=127.0.0.1',
    `--service-account-issuer=https://127.0.0.1:${port}`,
    `--service-account-key-file=${path.join(pki, 'service-accounts.pub')}`,
    `--service-account-signing-key-file=${path.join(pki, 'service-accounts.key')}`,
    // Pods need no account here; and without a node controller nobody would
    // take the not-ready taint off the nodes again.
    '--disable-admission-plugins=ServiceAccount,TaintNodesByCondition',
    // Loopback addresses, so that a process on this machine can stand for a Service.
    `--service-cluster-ip-range=127.${100 + (index % 100)}.0.0/16`,
    // Endpoints refuse loopback, so the API server has no address to announce.
    '--endpoint-reconciler-type=none',
    '--profiling=false',
  ];
}

/** @param {Paths} paths @param {string} cluster */
export function controllersKubeconfig(paths, cluster) {
  return path.join(paths.cluster(cluster), 'controllers.kubeconfig');
}

/** @param {Paths} paths @param {string} cluster */
export function stagesPath(paths, cluster) {
  return path.join(paths.cluster(cluster), 'stages.yaml');
}

/** @param {Paths} paths @param {string} cluster */
export function tokensPath(paths, cluster) {
  return path.join(paths.cluster(cluster), 'tokens.csv');
}
