import type { ApiResource } from '../../clusters/types';
import type { KubernetesObject } from '../../ports';
import { isRecord, listAt, textAt } from '../json';
import { groupOf } from '../objectId';
import { definesKind } from '../render/scopes';

const VERBS = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];

/**
 * Where a kind will be served by the CRD of the same content; undefined where
 * the content has none that serves this version. Discovery lags behind CRDs that
 * were just made.
 */
export function resourceOfDefinition(
  objects: KubernetesObject[],
  apiVersion: string,
  kind: string,
): ApiResource | undefined {
  const group = groupOf(apiVersion);
  const version = apiVersion.slice(group.length + 1);
  const definition = objects.find(object => definesKind(object, group, kind));
  const served = listAt(definition, 'spec', 'versions').some(
    candidate => isRecord(candidate) && candidate.name === version && candidate.served === true,
  );
  const plural = textAt(definition, 'spec', 'names', 'plural');
  if (!served || !plural) {
    return undefined;
  }
  const namespaced = textAt(definition, 'spec', 'scope') !== 'Cluster';
  return {
    pathPrefix: `/apis/${apiVersion}`,
    plural,
    kind,
    apiVersion,
    namespaced,
    verbs: VERBS,
  };
}
