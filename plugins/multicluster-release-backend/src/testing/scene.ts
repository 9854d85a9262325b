/*
 * One service in a namespace of its own, with a backend of its own, on the
 * clusters of a suite: so the tests of a suite can run beside each other.
 * kubectl, with its own credentials, is the witness of what runs.
 */
import type { JsonObject } from '@backstage/types';
import type {
  ActionName,
  ActionRequest,
  EventView,
} from 'backstage-plugin-multicluster-release-common';
import type { Timing } from 'backstage-plugin-multicluster-release-node';
import type { ReleaseRun } from '../decide';
import type { RealClusters } from './realClusters';
import { releaseDocuments, type ReleaseOptions } from './samples';
import { smallBackend, type Person, type SmallBackend, type StartOptions } from './smallBackend';

export interface SceneOptions {
  clusters: RealClusters;
  /** Names of the clusters, in the order of `versions()`. */
  names: string[];
  namespace: string;
  /** As in `multiclusterRelease.clusters`. */
  configured?: Record<string, JsonObject>;
  /** As in `multiclusterRelease.metrics`. */
  metrics?: JsonObject;
  /** undefined: the clock of this machine. */
  timing?: Timing;
  /** Of changingFleet; undefined: all that `clusters` runs. */
  fleet?: string;
}

export type More = Partial<ReleaseOptions>;

export interface Scene {
  backend: SmallBackend;
  namespace: string;
  documents(version: string, more?: More): string;
  /** Starts a release and answers its id. */
  start(version: string, more?: More, how?: StartOptions): Promise<string>;
  /** Starts a release and waits for its end. */
  released(version: string, more?: More): Promise<ReleaseRun>;
  act(id: string, action: ActionName, request?: ActionRequest, by?: Person): Promise<string>;
  /** What kubectl sees: the version that each cluster is asked to run; '-' where there is none. */
  versions(): Promise<string[]>;
  kubectl(cluster: string, ...args: string[]): Promise<string>;
  /** Every object of ours on every cluster, with what changes at each write of it. */
  fingerprint(): Promise<string[]>;
  /** Who did what, why: `user:default/ann Paused (lunch)`; only these codes, if they are given. */
  told(id: string, ...codes: string[]): Promise<string[]>;
  close(): Promise<void>;
}

const STAMP = 'multicluster-release.io/stamp';
const SERVICE_LABEL = 'multicluster-release.io/service';
const OURS = 'deployments,configmaps,services,jobs';

export async function openScene(options: SceneOptions): Promise<Scene> {
  const { clusters, names, namespace, configured, metrics, timing, fleet } = options;
  await Promise.all(
    names.map(cluster => clusters.kubectl(cluster, 'create', 'namespace', namespace)),
  );
  const backend = await smallBackend({
    database: ':memory:',
    kubeconfig: clusters.kubeconfig,
    clusters: configured,
    metrics,
    timing,
    fleet,
  });
  backend.engine.start();
  return sceneOn(backend, options);
}

/** The same around a backend that stands already; it is closed with the scene. */
export function sceneOn(
  backend: SmallBackend,
  { clusters, names, namespace }: Pick<SceneOptions, 'clusters' | 'names' | 'namespace'>,
): Scene {
  const documents = (version: string, more: More = {}) =>
    releaseDocuments({ version, clusters: names, namespace, ...more });
  const start = (version: string, more?: More, how?: StartOptions) =>
    backend.release(documents(version, more), how);
  const kubectl = (cluster: string, ...args: string[]) =>
    clusters.kubectl(cluster, '-n', namespace, ...args);
  const everywhere = <T>(look: (cluster: string) => Promise<T>) => Promise.all(names.map(look));
  return {
    ...{ backend, namespace, documents, start, kubectl },
    released: async (version, more) => backend.ended(await start(version, more)),
    act: (id, action, request, by) => backend.act(id, action, request, by),
    versions: () => everywhere(cluster => versionOn(kubectl, cluster)),
    fingerprint: async () => (await everywhere(cluster => marksOn(kubectl, cluster))).flat(),
    told: async (id, ...codes) => retell(await backend.events(id), codes),
    close: () => backend.close(),
  };
}

type Kubectl = (cluster: string, ...args: string[]) => Promise<string>;

async function versionOn(kubectl: Kubectl, cluster: string): Promise<string> {
  const image = await kubectl(
    cluster,
    ...['get', 'deployment', 'checkout', '--ignore-not-found'],
    ...['-o', 'jsonpath={.spec.template.spec.containers[0].image}'],
  );
  return image.split(':').at(-1) || '-';
}

interface LiveObject {
  kind: string;
  metadata: {
    name: string;
    uid: string;
    generation?: number;
    resourceVersion: string;
    annotations?: Record<string, string>;
  };
}

/** Controllers change the status of what has a generation: there only that and the stamp tell of a write. */
async function marksOn(kubectl: Kubectl, cluster: string): Promise<string[]> {
  const { items } = JSON.parse(
    await kubectl(cluster, 'get', OURS, '-l', SERVICE_LABEL, '-o', 'json'),
  );
  return (items as LiveObject[]).map(({ kind, metadata }) => {
    const { name, uid, generation, resourceVersion, annotations } = metadata;
    const change = generation ?? `r${resourceVersion}`;
    return [cluster, kind, name, uid, change, annotations?.[STAMP]].join(' ');
  });
}

/** Each has its time; it is taken before the order among several is known, so they need not grow. */
function retell(events: EventView[], codes: string[]): string[] {
  if (!events.every(({ at }) => at >= events[0].at)) {
    throw new Error(`An event is older than the release: ${JSON.stringify(events)}`);
  }
  return events
    .filter(({ code }) => codes.length === 0 || codes.includes(code))
    .map(({ code, actor, reason, cluster }) =>
      [actor, code, ...(cluster ? [cluster] : []), ...(reason ? [`(${reason})`] : [])].join(' '),
    );
}
