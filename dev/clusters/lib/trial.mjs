/**
 * The trial: a Deployment of one pod, which takes all parts of a cluster to
 * become available and to go away again. What was written down before an outage,
 * such as the status of the nodes, says nothing about who works after it.
 *
 * It runs in kube-system and is gone when it ends. A namespace of its own would
 * be left behind: Kubernetes takes 5 s before it begins to remove one.
 */
import { randomBytes } from 'node:crypto';
import { request } from './request.mjs';

/** @typedef {import('./request.mjs').Target} Target */

/**
 * @typedef {object} Step
 * @property {string} part Whose work it is.
 * @property {string} missing Continues "<cluster>: <part>" where it is not done in time.
 * @property {() => Promise<boolean>} isDone Asked again and again; false as well where nobody answers.
 */

const LABEL = 'development-clusters-trial';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/kube-system/deployments';
const REPLICA_SETS = '/apis/apps/v1/namespaces/kube-system/replicasets';
const PODS = '/api/v1/namespaces/kube-system/pods';

/**
 * @param {Target} admin
 * @returns {Step[]} In their order. The first one makes the Deployment, the last one removes it.
 */
export function trialSteps(admin) {
  const name = `${LABEL}-${randomBytes(4).toString('hex')}`;
  const ask = asker(admin);
  const pod = async () =>
    (await ask('GET', `${PODS}?labelSelector=${LABEL}=${name}`))?.body.items[0];
  return [
    {
      part: 'apiserver',
      missing: 'takes no Deployment',
      isDone: async () => (await ask('POST', DEPLOYMENTS, deployment(name))) !== undefined,
    },
    {
      part: 'controller-manager',
      missing: 'makes no pod for a Deployment',
      isDone: async () => (await pod()) !== undefined,
    },
    {
      part: 'scheduler',
      missing: 'gives a pod no node',
      isDone: async () => Boolean((await pod())?.spec.nodeName),
    },
    {
      part: 'kwok',
      missing: 'makes no pod ready',
      isDone: async () => isReady(await pod()),
    },
    {
      part: 'controller-manager',
      missing: 'does not see that a Deployment is available',
      isDone: async () =>
        (await ask('GET', `${DEPLOYMENTS}/${name}`))?.body.status.availableReplicas === 1,
    },
    {
      part: 'controller-manager',
      missing: 'does not remove the pods of a deleted Deployment',
      isDone: () => haveAllGone(ask),
    },
  ];
}

/**
 * Gives a trial up that did not come to its end. Once, and without a word where
 * nobody answers: the next trial removes what is left.
 *
 * @param {Target} admin
 */
export async function removeTrials(admin) {
  await removeDeployments(asker(admin));
}

/** @returns {boolean} */
function isReady(/** @type {any} */ pod) {
  return Boolean(
    pod?.status.conditions?.some(
      (/** @type {any} */ { type, status }) => type === 'Ready' && status === 'True',
    ),
  );
}

/**
 * Removes what there is of trials, also of earlier ones that did not come to their end.
 *
 * @param {ReturnType<typeof asker>} ask
 */
async function haveAllGone(ask) {
  await removeDeployments(ask);
  const lists = await Promise.all(
    [DEPLOYMENTS, REPLICA_SETS, PODS].map(path => ask('GET', `${path}?labelSelector=${LABEL}`)),
  );
  return lists.every(list => list?.body.items.length === 0);
}

/** @param {ReturnType<typeof asker>} ask */
function removeDeployments(ask) {
  return ask('DELETE', `${DEPLOYMENTS}?labelSelector=${LABEL}&propagationPolicy=Background`);
}

/**
 * @param {Target} admin
 * @returns {(method: string, path: string, content?: object) => Promise<import('./request.mjs').Answer | undefined>}
 *   Undefined if there is no answer, or a bad one; that something is there already is a good one.
 */
function asker(admin) {
  return async (method, path, content) => {
    const body = content && JSON.stringify(content);
    const options = { method, body, timeoutMilliseconds: 3000 };
    const answer = await request(admin, path, options).catch(() => undefined);
    const isGood = answer && (answer.status < 300 || (method === 'POST' && answer.status === 409));
    return isGood ? answer : undefined;
  };
}

function deployment(/** @type {string} */ name) {
  const labels = { [LABEL]: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          terminationGracePeriodSeconds: 0,
          // Nodes that somebody has made not ready, or closed, count as well.
          tolerations: [{ operator: 'Exists' }],
          containers: [{ name: 'main', image: 'example/trial:1' }],
        },
      },
    },
  };
}
