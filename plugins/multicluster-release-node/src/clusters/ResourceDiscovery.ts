import { ClusterError } from './errors/ClusterError';
import type { Timing } from './Timing';
import type { ApiResource, ClusterClient } from './types';

/** A kind that is not there is asked for again at most this often; a CRD may come at any time. */
const MISS_MILLISECONDS = 2_000;
/** Kinds that are there are read again after this: a CRD may change its scope or go. */
const HIT_MILLISECONDS = 10 * 60_000;

interface Known {
  resources: Map<string, ApiResource>;
  readAt: number;
}

interface ResourceList {
  resources?: { name: string; kind: string; namespaced: boolean; verbs?: string[] }[];
}

/** Finds where a cluster serves a kind, one group and version at a time. */
export class ResourceDiscovery {
  private readonly known = new Map<string, Known>();
  private readonly running = new Map<string, Promise<Known>>();

  constructor(
    private readonly client: Pick<ClusterClient, 'request'>,
    private readonly timing: Pick<Timing, 'now'>,
  ) {}

  async find(apiVersion: string, kind: string): Promise<ApiResource | undefined> {
    const known = this.known.get(apiVersion);
    if (known) {
      const age = this.timing.now() - known.readAt;
      const limit = known.resources.has(kind) ? HIT_MILLISECONDS : MISS_MILLISECONDS;
      if (age < limit) {
        return known.resources.get(kind);
      }
    }
    return (await this.read(apiVersion)).resources.get(kind);
  }

  private read(apiVersion: string): Promise<Known> {
    let running = this.running.get(apiVersion);
    if (!running) {
      running = this.ask(apiVersion)
        .then(resources => {
          const known = { resources, readAt: this.timing.now() };
          this.known.set(apiVersion, known);
          return known;
        })
        .finally(() => this.running.delete(apiVersion));
      this.running.set(apiVersion, running);
    }
    return running;
  }

  private async ask(apiVersion: string): Promise<Map<string, ApiResource>> {
    const pathPrefix = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    try {
      const { body } = await this.client.request<ResourceList>({
        method: 'GET',
        path: pathPrefix,
        subject: `kinds of ${apiVersion}`,
      });
      return toResources(apiVersion, pathPrefix, body);
    } catch (error) {
      // The group or version is not served; that is an answer.
      if (error instanceof ClusterError && error.kind === 'notFound') {
        return new Map();
      }
      throw error;
    }
  }
}

function toResources(
  apiVersion: string,
  pathPrefix: string,
  list: ResourceList,
): Map<string, ApiResource> {
  const resources = new Map<string, ApiResource>();
  for (const { name, kind, namespaced, verbs } of list.resources ?? []) {
    // `deployments/scale` and the like are parts of another resource.
    if (!name.includes('/')) {
      resources.set(kind, {
        pathPrefix,
        plural: name,
        kind,
        apiVersion,
        namespaced,
        verbs: verbs ?? [],
      });
    }
  }
  return resources;
}
