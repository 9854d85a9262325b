import {
  overrideSelector,
  resolveReleaseSpec,
  type ClusterRelease,
  type ReleaseSpec,
  type ResourceTemplate,
} from 'backstage-plugin-multicluster-release-common';
import { substituteVersion } from 'backstage-plugin-multicluster-release-node';
import { getDefinition } from '../../store';
import type { CommandContext, ServiceEntity } from '../CommandContext';
import type { ServiceDefinition } from '../definitions/DefinitionReader';
import { DocumentsRefusedError } from '../errors';
import type { SourceLocation } from '../sources';
import type { ReleaseToRun, TemplateSpec } from './DocumentModel';
import { findUnbuilt } from './findUnbuilt';
import { faultOf, readDocuments, type ReadDocument } from './readDocuments';

export interface GatherRequest {
  entity: ServiceEntity;
  /** With exactly one ClusterRelease; others may come with it and win over stored ones. */
  sent: ReadDocument[];
  /** The service's own; undefined where it has none. */
  definition?: ServiceDefinition;
}

export interface GatheredRelease {
  release: ReleaseToRun;
  /** What relative locations of the template are relative to; undefined where it was sent. */
  base?: SourceLocation;
}

/**
 * Everything that a release refers to, by name: what was sent, then the service's
 * own, then the platform's.
 *
 * @throws DocumentsRefusedError with all names that lead nowhere, or `NotBuiltYet` with every path
 */
export async function gatherRelease(
  context: CommandContext,
  { entity, sent, definition }: GatherRequest,
): Promise<GatheredRelease> {
  const release = onlyRelease(sent);
  const own = ownDocuments(sent, definition);
  const shared = await sharedDocuments(context, release);
  const unbuilt = findUnbuilt(usedBy(release, [...own, ...shared], sent));
  if (unbuilt.length > 0) {
    throw new DocumentsRefusedError('NotBuiltYet', unbuilt);
  }
  const resolved = resolveReleaseSpec({
    service: entity.ref,
    release,
    documents: own.map(({ located }) => located.document),
    sharedPolicies: shared.flatMap(({ located: { document } }) =>
      document.kind === 'DistributionPolicy' ? document : [],
    ),
    sharedPlacements: shared.flatMap(({ located: { document } }) =>
      document.kind === 'PlacementRule' ? document : [],
    ),
  });
  if ('errors' in resolved) {
    throw new DocumentsRefusedError('InvalidDocument', resolved.errors.map(faultOf));
  }
  const { spec, template: document, findings } = resolved;
  const template = templateSpec(document);
  const wasSent = sent.some(({ located }) => located.document === document);
  return {
    release: {
      spec: {
        ...withVersionInJobs(spec),
        owner: entity.owner,
        overrideMatches: template.overrides.map(({ match }) => match),
      },
      template,
      findings,
    },
    base: wasSent ? undefined : definition?.base,
  };
}

/** Jobs of gates know the version as manifests do; the plan then holds them as they run. */
function withVersionInJobs(spec: ReleaseSpec): ReleaseSpec {
  const { strategy, targetVersion } = spec;
  if (strategy.type !== 'Canary') {
    return spec;
  }
  const steps = strategy.steps.map(step =>
    step.jobs ? { ...step, jobs: substituteVersion(step.jobs, targetVersion) } : step,
  );
  return { ...spec, strategy: { ...strategy, steps } };
}

function onlyRelease(sent: ReadDocument[]): ClusterRelease {
  const releases = sent.flatMap(({ located: { document } }) =>
    document.kind === 'ClusterRelease' ? document : [],
  );
  if (releases.length !== 1) {
    throw new DocumentsRefusedError('WrongDocument', [
      {
        code: 'WrongDocument',
        message: `Send exactly one ClusterRelease; there are ${releases.length}.`,
      },
    ]);
  }
  return releases[0];
}

/** What was sent wins over what is stored under the same kind and name. */
function ownDocuments(
  sent: ReadDocument[],
  definition: ServiceDefinition | undefined,
): ReadDocument[] {
  const stored = definition
    ? readDocuments(definition.record.text, definition.record.location)
    : [];
  const others = [...sent, ...stored].filter(({ kind }) => kind !== 'ClusterRelease');
  const byLabel = new Map(
    [...others].reverse().map(document => [document.located.label, document]),
  );
  return [...byLabel.values()];
}

async function sharedDocuments(
  { database, cipher }: CommandContext,
  { spec }: ClusterRelease,
): Promise<ReadDocument[]> {
  const owners = [
    ...(typeof spec.policy === 'string' ? [{ scope: 'policy' as const, name: spec.policy }] : []),
    ...(spec.placement !== undefined
      ? [{ scope: 'placement' as const, name: spec.placement }]
      : []),
  ];
  const records = await Promise.all(
    owners.map(owner => getDefinition(database, { owner }, cipher)),
  );
  return records.flatMap(record => (record ? readDocuments(record.text) : []));
}

/** Only what this release uses can stand in its way. */
function usedBy(
  { spec }: ClusterRelease,
  documents: ReadDocument[],
  sent: ReadDocument[],
): ReadDocument[] {
  const isUsed = ({ kind, name }: ReadDocument): boolean => {
    switch (kind) {
      case 'ResourceTemplate':
        return spec.template === undefined || spec.template === name;
      case 'PlacementRule':
        return spec.placement === name;
      case 'DistributionPolicy':
        return spec.policy === name;
      default:
        return true;
    }
  };
  const releases = sent.filter(({ kind }) => kind === 'ClusterRelease');
  return [...releases, ...documents.filter(isUsed)];
}

function templateSpec({ metadata, spec }: ResourceTemplate): TemplateSpec {
  const { manifests } = spec.source;
  if (!manifests) {
    throw new DocumentsRefusedError('NotBuiltYet', [
      {
        code: 'NotBuiltYet',
        document: `ResourceTemplate/${metadata.name}`,
        path: 'spec.source',
        message: 'only manifests are built yet.',
      },
    ]);
  }
  return {
    name: metadata.name,
    configVersion: spec.configVersion,
    source:
      manifests.location === undefined
        ? { inline: manifests.inline ?? [] }
        : { location: manifests.location, ref: manifests.ref },
    images: (spec.images ?? []).map(({ name, tag }) => ({ name, tag })),
    overrides: (spec.overrides ?? []).map(({ match, patches = [] }) => ({
      match: overrideSelector(match),
      patches,
    })),
  };
}
