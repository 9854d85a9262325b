/**
 * The objects that every cluster has from the start: nodes, the product's role
 * and a storage class.
 */
import fs from 'node:fs';
import { HarnessError } from './errors.mjs';
import { request, tryRequest } from './request.mjs';
import { STORAGE_CLASS } from './stages.mjs';

/** The least-privilege identity; docs/cluster-role.yaml says what it may do. */
export const PRODUCT_USER = 'multicluster-release';

const CLUSTER_ROLE = new URL('../../../docs/cluster-role.yaml', import.meta.url);
const NODES_PER_CLUSTER = 2;

/** @typedef {import('./request.mjs').Target} Target */

/**
 * Server-side apply: making them again on a cluster that has them changes nothing.
 *
 * @param {string} cluster
 * @param {Target} admin
 */
export async function applyBaseObjects(cluster, admin) {
  const objects = [
    ...nodes(cluster),
    storageClass(),
    roleBinding(),
    // YAML goes to the API server as it is, comments and all.
    {
      path: `/apis/rbac.authorization.k8s.io/v1/clusterroles/${PRODUCT_USER}`,
      content: fs.readFileSync(CLUSTER_ROLE, 'utf8'),
    },
  ];
  await Promise.all(objects.map(({ path, content }) => apply(cluster, admin, path, content)));
}

/**
 * @param {string} cluster
 * @param {Target} admin
 * @param {string} path
 * @param {string | object} content
 */
async function apply(cluster, admin, path, content) {
  const answer = await request(admin, `${path}?fieldManager=development-clusters&force=true`, {
    method: 'PATCH',
    contentType: 'application/apply-patch+yaml',
    body: typeof content === 'string' ? content : JSON.stringify(content),
    timeoutMilliseconds: 30_000,
  });
  if (answer.status >= 300) {
    throw new HarnessError(
      `${cluster}${path}: refused with ${answer.status}: ${
        answer.body?.message ?? answer.body
      }; correct dev/clusters/lib/objects.mjs`,
    );
  }
}

/** @param {string} cluster */
function nodes(cluster) {
  return Array.from({ length: NODES_PER_CLUSTER }, (_, index) => {
    const name = `${cluster}-node-${index + 1}`;
    return {
      path: `/api/v1/nodes/${name}`,
      content: {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: {
          name,
          annotations: { 'kwok.x-k8s.io/node': 'fake' },
          labels: {
            'kubernetes.io/arch': 'amd64',
            'kubernetes.io/hostname': name,
            'kubernetes.io/os': 'linux',
            'topology.kubernetes.io/zone': `zone-${index + 1}`,
          },
        },
      },
    };
  });
}

function storageClass() {
  return {
    path: `/apis/storage.k8s.io/v1/storageclasses/${STORAGE_CLASS}`,
    content: {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: {
        name: STORAGE_CLASS,
        annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' },
      },
      // The binder leaves such claims to somebody else: to kwok's stage.
      provisioner: 'kwok.x-k8s.io/volume',
    },
  };
}

function roleBinding() {
  return {
    path: `/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/${PRODUCT_USER}`,
    content: {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: PRODUCT_USER },
      roleRef: {
        apiGroup: 'rbac.authorization.k8s.io',
        kind: 'ClusterRole',
        name: PRODUCT_USER,
      },
      subjects: [
        {
          apiGroup: 'rbac.authorization.k8s.io',
          kind: 'User',
          name: PRODUCT_USER,
        },
      ],
    },
  };
}

/**
 * Whether kwok has taken up the nodes. A node that a test has made not ready
 * counts: it was ready once.
 *
 * @param {Target} admin
 */
export async function haveNodesReported(admin) {
  const answer = await tryRequest(admin, '/api/v1/nodes', {
    timeoutMilliseconds: 3000,
  });
  const items = answer?.body?.items ?? [];
  return (
    items.length >= NODES_PER_CLUSTER &&
    items.every((/** @type {any} */ node) =>
      node.status?.conditions?.some((/** @type {any} */ condition) => condition.type === 'Ready'),
    )
  );
}
