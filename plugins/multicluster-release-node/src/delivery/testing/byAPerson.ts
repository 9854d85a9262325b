import type { ClusterClient } from '../../clusters/types';
import type { KubernetesObject } from '../../ports';
import { listAt } from '../json';

const PATHS: Record<string, (namespace: string) => string> = {
  Deployment: namespace => `/apis/apps/v1/namespaces/${namespace}/deployments`,
  Pod: namespace => `/api/v1/namespaces/${namespace}/pods`,
  PersistentVolumeClaim: namespace => `/api/v1/namespaces/${namespace}/persistentvolumeclaims`,
  ConfigMap: namespace => `/api/v1/namespaces/${namespace}/configmaps`,
  Secret: namespace => `/api/v1/namespaces/${namespace}/secrets`,
  Service: namespace => `/api/v1/namespaces/${namespace}/services`,
  Job: namespace => `/apis/batch/v1/namespaces/${namespace}/jobs`,
  PodDisruptionBudget: namespace => `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`,
  HorizontalPodAutoscaler: namespace =>
    `/apis/autoscaling/v2/namespaces/${namespace}/horizontalpodautoscalers`,
  Namespace: () => '/api/v1/namespaces',
};

/** The path of a kind's objects; of the few kinds that suites need. */
export function pathOf(kind: string, namespace: string): string {
  return PATHS[kind](namespace);
}

/** What people do, and see, in the namespace of a test with all rights. */
export interface ByAPerson {
  /** As with kubectl create; in the namespace of the test where the object names none. */
  create(object: object, manager?: string): Promise<KubernetesObject>;
  /** As with kubectl patch. */
  alter(
    kind: string,
    name: string,
    patch: object,
    query?: Record<string, string>,
    subresource?: string,
  ): Promise<void>;
  live(kind: string, name: string, where?: string): Promise<KubernetesObject>;
  /** Of all objects of a kind, sorted. */
  names(kind: string): Promise<string[]>;
  /** resourceVersion by kind and name, of what a release may write. */
  versions(): Promise<Record<string, string | undefined>>;
}

/** @param place - asked at each call, for each test has its own */
export function byAPerson(place: () => { admin: ClusterClient; namespace: string }): ByAPerson {
  async function create(object: object, manager = 'a-person'): Promise<KubernetesObject> {
    const { kind, metadata } = object as KubernetesObject;
    const path = pathOf(kind, metadata.namespace ?? place().namespace);
    const { body } = await place().admin.request<KubernetesObject>({
      method: 'POST',
      path,
      query: { fieldManager: manager },
      body: object,
    });
    return body;
  }

  async function alter(
    kind: string,
    name: string,
    patch: object,
    query: Record<string, string> = {},
    subresource = '',
  ) {
    await place().admin.request({
      method: 'PATCH',
      path: `${pathOf(kind, place().namespace)}/${name}${subresource}`,
      query: { fieldManager: 'a-person', ...query },
      contentType: 'application/merge-patch+json',
      body: patch,
    });
  }

  async function live(
    kind: string,
    name: string,
    where = place().namespace,
  ): Promise<KubernetesObject> {
    const { body } = await place().admin.request<KubernetesObject>({
      method: 'GET',
      path: `${pathOf(kind, where)}/${name}`,
    });
    return body;
  }

  async function names(kind: string): Promise<string[]> {
    const { body } = await place().admin.request({
      method: 'GET',
      path: pathOf(kind, place().namespace),
    });
    return listAt(body, 'items')
      .map(item => (item as KubernetesObject).metadata.name)
      .filter(name => name !== 'kube-root-ca.crt')
      .sort();
  }

  async function versions(): Promise<Record<string, string | undefined>> {
    const found = await Promise.all(
      ['Deployment', 'ConfigMap', 'Secret', 'Service', 'PodDisruptionBudget'].map(async kind => {
        const { body } = await place().admin.request({
          method: 'GET',
          path: pathOf(kind, place().namespace),
        });
        return listAt(body, 'items').map(item => {
          const { metadata } = item as KubernetesObject;
          return [`${kind}/${metadata.name}`, metadata.resourceVersion] as const;
        });
      }),
    );
    return Object.fromEntries(found.flat());
  }

  return { create, alter, live, names, versions };
}
