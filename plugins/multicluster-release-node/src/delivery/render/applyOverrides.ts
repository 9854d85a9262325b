import { applyPatch, type Operation } from 'fast-json-patch';
import {
  exclusionRule,
  type ClusterSelector,
  type FleetCluster,
} from 'backstage-plugin-multicluster-release-common';
import type { KubernetesObject } from '../../ports';
import { copyOf, isRecord, type JsonRecord } from '../json';
import { describeObject, groupOf, idKey, idOf } from '../objectId';
import { RenderError } from './RenderError';
import { strategicMerge } from './strategicMerge';

export interface PatchTarget {
  kind: string;
  name?: string;
  namespace?: string;
  apiVersion?: string;
  group?: string;
}

export interface OverridePatch {
  target: PatchTarget;
  /** A strategic-merge patch, or a JSON 6902 list. */
  patch: object | unknown[];
}

/** What is different on some clusters. Later ones win. */
export interface OverrideRule {
  match: ClusterSelector;
  patches: OverridePatch[];
}

/**
 * Answers the objects with every override that matches the cluster, in order.
 *
 * @throws RenderError that names the override and the patch
 */
export function applyOverrides(
  objects: KubernetesObject[],
  overrides: OverrideRule[],
  cluster: FleetCluster,
): KubernetesObject[] {
  let result = objects;
  overrides.forEach(({ match, patches }, index) => {
    if (exclusionRule(match, cluster) !== undefined) {
      return;
    }
    patches.forEach((patch, position) => {
      result = applyOverridePatch(result, patch, `spec.overrides[${index}].patches[${position}]`);
    });
  });
  return result;
}

function applyOverridePatch(
  objects: KubernetesObject[],
  { target, patch }: OverridePatch,
  path: string,
): KubernetesObject[] {
  let matched = false;
  const result = objects.map(object => {
    if (!isTarget(object, target)) {
      return object;
    }
    matched = true;
    return patched(object, patch, path);
  });
  if (!matched) {
    const wanted = [target.apiVersion ?? target.group, target.kind, target.namespace, target.name]
      .filter(Boolean)
      .join('/');
    throw new RenderError(
      'PatchTargetUnmatched',
      { target: wanted },
      `${path}: the content has no ${wanted}. Correct the target; there are: ${objects
        .map(object => describeObject(idOf(object)))
        .join(', ')}.`,
      path,
    );
  }
  return result;
}

function isTarget(object: KubernetesObject, target: PatchTarget): boolean {
  return (
    object.kind === target.kind &&
    (target.name === undefined || object.metadata.name === target.name) &&
    (target.namespace === undefined || object.metadata.namespace === target.namespace) &&
    (target.apiVersion === undefined || object.apiVersion === target.apiVersion) &&
    (target.group === undefined || groupOf(object.apiVersion) === target.group)
  );
}

function patched(
  object: KubernetesObject,
  patch: object | unknown[],
  path: string,
): KubernetesObject {
  const subject = describeObject(idOf(object));
  const result = Array.isArray(patch)
    ? applyOperations(object, patch, subject, path)
    : strategicMerge(object, patch as JsonRecord, {
        subject: `${path}: ${subject}`,
        groupKind: `${groupOf(object.apiVersion)}/${object.kind}`,
      });
  if (
    !isRecord(result.metadata) ||
    idKey(idOf(result as KubernetesObject)) !== idKey(idOf(object))
  ) {
    throw new RenderError(
      'PatchChangesIdentity',
      { object: subject },
      `${path}: a patch cannot give ${subject} another kind, name or namespace. Write a second manifest instead.`,
      path,
    );
  }
  return result as KubernetesObject;
}

function applyOperations(
  object: KubernetesObject,
  operations: unknown[],
  subject: string,
  path: string,
): JsonRecord {
  try {
    return applyPatch<JsonRecord>(copyOf(object), operations as Operation[], true).newDocument;
  } catch (error) {
    // The library's message repeats the whole document, Secrets included; only its first line and name are ours to show.
    const name = error instanceof Error ? error.name : 'failed';
    throw new RenderError(
      'PatchInvalid',
      { object: subject, path },
      `${path}: the JSON 6902 patch does not fit ${subject} (${name}). Check each operation's path against the rendered manifest.`,
      path,
    );
  }
}
