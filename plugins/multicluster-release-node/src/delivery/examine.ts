import pLimit from 'p-limit';
import type { FieldChange, Finding } from 'backstage-plugin-multicluster-release-common';
import { ClusterError } from '../clusters/errors/ClusterError';
import type { ApiResource, ClusterClient } from '../clusters/types';
import type { KubernetesObject } from '../ports';
import { REQUESTS_AT_ONCE } from './DeliveryDependencies';
import { changesOfDesired, fieldChanges } from './fieldChanges';
import { dryRun } from './live/dryRun';
import { lostOwners } from './live/lostOwners';
import { foreignOwner } from './live/owners';
import { readObject } from './live/readObject';
import { isDryRunRefusal, isImmutableRefusal, isSchemaRefusal } from './live/refusals';
import { objectFinding } from './objectFinding';
import { describeObject, groupOf, idKey, idOf } from './objectId';
import type { TargetReading } from './readTarget';
import { redactMessage } from './redact/redactMessage';
import { definesKind } from './render/scopes';
import { conflictRisk, replaceRisk } from './risks';

/** One object of the content, as its write would turn out. */
export interface Examined {
  object: KubernetesObject;
  live?: KubernetesObject;
  change: 'created' | 'configured' | 'unchanged' | 'replaceNeeded';
  fields: FieldChange[];
  risks: string[];
  findings: Finding[];
  /** Why the API server could not be asked. */
  notFullyChecked?: string;
}

export interface ExamineOptions {
  client: ClusterClient;
  service: string;
  /** The target's content; Secrets filled. */
  objects: KubernetesObject[];
  reading: TargetReading;
  signal?: AbortSignal;
}

/**
 * Dry-runs every object of a content and compares the answers with what is live.
 * What the API server refuses is a finding; a cluster that does not answer throws.
 *
 * @throws ClusterError
 */
export function examine(options: ExamineOptions): Promise<Examined[]> {
  const limit = pLimit(REQUESTS_AT_ONCE);
  return Promise.all(options.objects.map(object => limit(() => examineObject(options, object))));
}

async function examineObject(options: ExamineOptions, object: KubernetesObject): Promise<Examined> {
  const { client, service, reading } = options;
  const id = idOf(object);
  const resource = reading.resources.get(idKey(id));
  const live = reading.live.get(idKey(id));
  if (!resource) {
    return kindMissing(options, object);
  }
  if (!resource.namespaced && id.namespace !== undefined) {
    return outsideOfNamespaces(options, object, live);
  }
  const owner = live && foreignOwner(live, service);
  if (live && owner) {
    const what = `belongs to ${owner}. Take it out there first, or give the object another name.`;
    return {
      ...unchanged(object, live),
      findings: [
        objectFinding('error', 'OwnedByOther', client.name, id, what, {
          owner,
        }),
      ],
    };
  }
  return examineServed(options, resource, object, live);
}

/**
 * Rendering took the kind for a namespaced one, so the tenancy judged it by a
 * namespace that the cluster would ignore: written, it would pass by the
 * permission that is needed outside of namespaces.
 */
function outsideOfNamespaces(
  { client }: ExamineOptions,
  object: KubernetesObject,
  live: KubernetesObject | undefined,
): Examined {
  const id = idOf(object);
  const what =
    'is of a kind that lives outside of namespaces on this cluster, which only its definition tells in time. ' +
    'Bring its CustomResourceDefinition with the same manifests, or leave the object to the platform.';
  return {
    ...unchanged(object, live),
    findings: [objectFinding('error', 'OutsideOfNamespaces', client.name, id, what, {})],
  };
}

/** How often an object is read again when a controller writes to it while we ask. */
const CONFLICT_ATTEMPTS = 5;

async function examineServed(
  options: ExamineOptions,
  resource: ApiResource,
  object: KubernetesObject,
  firstLive: KubernetesObject | undefined,
): Promise<Examined> {
  const { client, signal } = options;
  let live = firstLive;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await examineByDryRun(options, resource, object, live);
    } catch (error) {
      if (!(error instanceof ClusterError)) {
        throw error;
      }
      if (error.kind !== 'conflict' || attempt === CONFLICT_ATTEMPTS) {
        return examineRefusal(options, object, live, error);
      }
      live = await readObject(client, resource, idOf(object), signal);
    }
  }
}

async function examineByDryRun(
  { client, service, reading, signal }: ExamineOptions,
  resource: ApiResource,
  object: KubernetesObject,
  live: KubernetesObject | undefined,
): Promise<Examined> {
  const after = await dryRun({
    client,
    resource,
    object,
    live,
    service,
    scaled: reading.scaled,
    signal,
  });
  if (!live) {
    return { ...unchanged(object), change: 'created' };
  }
  const fields = fieldChanges(live, after);
  const risks = lostOwners(live, after).map(owner => conflictRisk(idOf(object), owner));
  return {
    ...unchanged(object, live),
    change: fields.length > 0 ? 'configured' : 'unchanged',
    fields,
    risks,
  };
}

function examineRefusal(
  options: ExamineOptions,
  object: KubernetesObject,
  live: KubernetesObject | undefined,
  error: ClusterError,
): Examined {
  const { client, objects } = options;
  const id = idOf(object);
  const base = {
    ...unchanged(object, live),
    change: live ? ('configured' as const) : ('created' as const),
  };
  if (isImmutableRefusal(error, live)) {
    return replaceNeeded(options, object, live);
  }
  const notYet = whyNotYet(object, objects, error);
  if (notYet) {
    return { ...base, notFullyChecked: notYet };
  }
  const answered =
    ['invalid', 'forbidden', 'notFound'].includes(error.kind) || isSchemaRefusal(error);
  if (!answered) {
    throw error;
  }
  const what = redactMessage(stripLead(error.message, client.name, describeObject(id)), objects);
  return {
    ...base,
    findings: [objectFinding('error', 'RefusedByCluster', client.name, id, what, {})],
  };
}

/** Why a refusal says nothing yet: what the object needs comes with the same release, or may not be tried. */
function whyNotYet(
  object: KubernetesObject,
  objects: KubernetesObject[],
  error: ClusterError,
): string | undefined {
  if (isDryRunRefusal(error)) {
    return 'an admission webhook refuses dry runs';
  }
  const namespaceComes = objects.some(
    ({ kind, metadata }) => kind === 'Namespace' && metadata.name === object.metadata.namespace,
  );
  if (error.kind === 'notFound' && namespaceComes) {
    return `namespace ${object.metadata.namespace} comes with this release`;
  }
  const definitionComes = objects.some(other =>
    definesKind(other, groupOf(object.apiVersion), object.kind),
  );
  return definitionComes ? `its CustomResourceDefinition comes with this release` : undefined;
}

function kindMissing({ client, objects }: ExamineOptions, object: KubernetesObject): Examined {
  const id = idOf(object);
  const base = { ...unchanged(object), change: 'created' as const };
  if (objects.some(other => definesKind(other, groupOf(object.apiVersion), object.kind))) {
    return {
      ...base,
      notFullyChecked: 'its CustomResourceDefinition comes with this release',
    };
  }
  const what = `the cluster does not serve ${id.apiVersion} ${id.kind}. Install its CustomResourceDefinition, or bring it with the same manifests.`;
  return {
    ...base,
    findings: [
      objectFinding('error', 'KindNotServed', client.name, id, what, {
        apiVersion: id.apiVersion,
      }),
    ],
  };
}

/** What replacing an object of this kind would do besides the change. */
const SIDE_EFFECTS: Record<string, string> = {
  Job: 'the Job would run again',
  Deployment: 'there would be a downtime',
  StatefulSet: 'there would be a downtime',
  DaemonSet: 'there would be a downtime',
  PersistentVolumeClaim: 'its data could be lost',
};

function replaceNeeded(
  { client }: ExamineOptions,
  object: KubernetesObject,
  live?: KubernetesObject,
): Examined {
  const id = idOf(object);
  const sideEffect = SIDE_EFFECTS[object.kind] ?? 'it would be missing for a moment';
  const fields = live ? changesOfDesired(live, object) : [];
  const places = fields.map(({ pointer }) => pointer).join(', ');
  const what =
    `cannot be changed in place${
      places ? ` (${places})` : ''
    }; it would have to be deleted and made again, and ${sideEffect}. ` +
    'Give it a new name, leave the field as it is, or delete the object by hand first.';
  return {
    ...unchanged(object, live),
    change: 'replaceNeeded',
    fields,
    risks: [replaceRisk(id)],
    findings: [
      objectFinding('error', 'ReplaceNeeded', client.name, id, what, {
        sideEffect,
      }),
    ],
  };
}

function unchanged(object: KubernetesObject, live?: KubernetesObject): Examined {
  return {
    object,
    live,
    change: 'unchanged',
    fields: [],
    risks: [],
    findings: [],
  };
}

/** Our findings lead with cluster and object already. */
function stripLead(message: string, cluster: string, subject: string): string {
  const lead = `${cluster}: ${subject}: `;
  return message.startsWith(lead) ? message.slice(lead.length) : message;
}
