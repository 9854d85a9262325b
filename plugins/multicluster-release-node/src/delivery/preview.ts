import {
  counted,
  type Finding,
  type ObjectChange,
} from 'backstage-plugin-multicluster-release-common';
import { ClusterError, clusterStateOfError } from '../clusters/errors/ClusterError';
import type { ClusterClient } from '../clusters/types';
import type { InventoryItem, ObjectId, PreviewRequest, TargetPreview } from '../ports';
import { adoptionFindings } from './adoptionFindings';
import type { DeliveryDependencies } from './DeliveryDependencies';
import { examine, type Examined } from './examine';
import { namespaceFindings } from './namespaceFindings';
import { idOf } from './objectId';
import { findPrunable, pruneCandidates } from './prunable';
import { readTarget } from './readTarget';
import { removalRisk } from './risks';
import { weightFindings } from './weights/weightFindings';
import { fillWithheld } from './withheldSecrets';

/**
 * What a release would change on one target. A cluster that does not answer is a
 * preview that says so; of it only the removals are told, since the record knows
 * them, and a person who starts accepts them too.
 */
export async function preview(
  { contents }: DeliveryDependencies,
  client: ClusterClient,
  request: PreviewRequest,
  signal?: AbortSignal,
): Promise<TargetPreview> {
  const content = await contents.get(request.digest);
  try {
    const reading = await readTarget(client, content.objects, signal);
    const { objects, missing } = fillWithheld(content, reading.live, client.name);
    const checkable = missing ? objects.filter(({ kind }) => kind !== 'Secret') : objects;
    const options = {
      client,
      service: request.service,
      objects: checkable,
      reading,
      signal,
    };
    const [examined, prunable, places] = await Promise.all([
      examine(options),
      findPrunable(client, { ...request, content: objects.map(idOf) }, signal),
      namespaceFindings(client, objects, signal),
    ]);
    const weights = await weightFindings(client, request, objects, examined, signal);
    const removed = prunable.map(({ item }) => item).filter(isContent);
    return {
      key: request.key,
      clusterState: 'ok',
      changes: [...examined.map(objectChange), ...removed.map(deletion)],
      findings: [
        ...withheldFindings(client.name, missing?.message),
        ...places,
        ...examined.flatMap(({ findings }) => findings),
        ...weights,
        ...adoptionFindings(client.name, request, examined),
        ...removalFindings(client.name, removed),
      ],
      risks: [...examined.flatMap(({ risks }) => risks), ...removed.map(removalRisk)],
    };
  } catch (error) {
    if (error instanceof ClusterError) {
      return unanswered(request, content.objects.map(idOf), error);
    }
    throw error;
  }
}

/** What an earlier release used and left is no part of what people asked to see. */
function isContent({ helper }: InventoryItem): boolean {
  return !helper;
}

function objectChange({ object, change, fields, notFullyChecked }: Examined): ObjectChange {
  return {
    ...idOf(object),
    change,
    fields,
    ...(notFullyChecked && { notFullyChecked }),
  };
}

function deletion({ apiVersion, kind, namespace, name }: InventoryItem): ObjectChange {
  return { apiVersion, kind, namespace, name, change: 'deleted', fields: [] };
}

function withheldFindings(cluster: string, message: string | undefined): Finding[] {
  return message === undefined
    ? []
    : [
        {
          severity: 'error',
          code: 'ContentWithheld',
          params: { cluster },
          message,
          cluster,
        },
      ];
}

function removalFindings(cluster: string, removed: InventoryItem[]): Finding[] {
  if (removed.length === 0) {
    return [];
  }
  const names = removed.map(({ kind, name }) => `${kind} ${name}`).join(', ');
  return [
    {
      severity: 'warning',
      code: 'Removes',
      params: { cluster, count: removed.length, objects: names },
      message: `${cluster}: removes ${counted(
        removed.length,
        'object',
      )} that the new content does not have: ${names}.`,
      cluster,
    },
  ];
}

/** A cluster that is away for the moment is a warning; one that we may not use will not come back by waiting. */
function unanswered(
  request: PreviewRequest,
  content: ObjectId[],
  error: ClusterError,
): TargetPreview {
  const clusterState = clusterStateOfError(error.kind);
  const away =
    clusterState === 'unreachable' || clusterState === 'timeout' || clusterState === 'starting';
  const removed = away ? pruneCandidates({ ...request, content }).filter(isContent) : [];
  return {
    key: request.key,
    clusterState,
    changes: removed.map(item => ({
      ...deletion(item),
      notFullyChecked: 'The cluster did not answer.',
    })),
    findings: [
      {
        severity: away ? 'warning' : 'error',
        code: away ? 'ClusterUnreachable' : 'ClusterRefuses',
        params: { cluster: request.target.cluster },
        message: error.message,
        cluster: request.target.cluster,
      },
      ...removalFindings(request.target.cluster, removed),
    ],
    risks: removed.map(removalRisk),
  };
}
