import type { PlacementSpec, PolicySpec, ReleaseSpec } from '../../plan/spec';
import type { Finding } from '../../status/findings';
import type { ReleaseDocument } from '../documents';
import type { DocumentError } from '../errors/DocumentError';
import type { PlacementRule } from '../placement/PlacementRule';
import type { DistributionPolicy } from '../policy/DistributionPolicy';
import { stripLeadingV } from '../primitives/versions';
import type { ClusterRelease } from '../release/ClusterRelease';
import type { ResourceTemplate } from '../template/ResourceTemplate';
import { findByName, type Found } from './findByName';
import { foundingFindings } from './foundingFindings';
import { resolveMetrics } from './resolveMetrics';
import { resolvePlacement } from './resolvePlacement';
import { resolvePolicy } from './resolvePolicy';
import { resolveRollbackOn, resolveStrategy } from './resolveStrategy';

export interface ResolveInput {
  /** The service that is asked for, where the document need not say so. */
  service?: string;
  release: ClusterRelease;
  /** The service's other documents, in their last revision. */
  documents: ReleaseDocument[];
  /** The platform's, used where the service has none of that name. */
  sharedPolicies: DistributionPolicy[];
  sharedPlacements: PlacementRule[];
}

export interface ResolvedRelease {
  spec: ReleaseSpec;
  template: ResourceTemplate;
  /** What the preview should say. */
  findings: Finding[];
  /** Whose document was taken; undefined where it stands in the release itself, or is the default. */
  from: { placement?: 'service' | 'shared'; policy?: 'service' | 'shared' };
}

interface Trouble {
  path: string;
  message: string;
  suggestion?: string;
}

/**
 * Fills in defaults and follows names, so that compile reads one form only. All
 * names that lead nowhere are said at once. Call `notBuiltYet` first: what this
 * version cannot execute is not carried into the spec.
 */
export function resolveReleaseSpec(
  input: ResolveInput,
): ResolvedRelease | { errors: DocumentError[] } {
  const { release } = input;
  const trouble: Trouble[] = [];
  const service = resolveService(input, trouble);
  const template = resolveTemplate(input, trouble);
  const placement = findPlacement(input, trouble);
  const policy = findPolicy(input, trouble);
  const strategy = resolveStrategy(release.spec.strategy, (step, index) => {
    const path = `spec.strategy.canary.steps[${index}].metrics`;
    const found = resolveMetrics(step.metrics ?? [], template?.spec.metrics ?? [], path);
    trouble.push(...found.trouble);
    return found.rules;
  });
  if (!strategy) {
    trouble.push({
      path: 'spec.strategy.type',
      message: `${release.spec.strategy.type} is not built yet in this version`,
    });
  }
  if (trouble.length > 0 || !service || !template || !placement || !policy || !strategy) {
    const document = `${release.kind}/${release.metadata.name}`;
    return { errors: trouble.map(one => ({ document, ...one })) };
  }
  return {
    spec: {
      service,
      targetVersion: stripLeadingV(release.spec.targetVersion),
      strategy,
      placement: placement.spec,
      policy: policy.spec,
      rollbackOn: resolveRollbackOn(release.spec.strategy),
      pruneAlso: template.spec.pruneAlso ?? [],
      ...resolveDependencies(template.spec.dependsOn),
    },
    template,
    findings: foundingFindings(release),
    from: { placement: placement.from, policy: policy.from },
  };
}

/** On the target's own cluster, unless the document says otherwise. */
function resolveDependencies(
  dependsOn: ResourceTemplate['spec']['dependsOn'] = [],
): Pick<ReleaseSpec, 'dependsOn'> {
  return dependsOn.length === 0
    ? {}
    : {
        dependsOn: dependsOn.map(({ service, version, on = 'same' }) => ({
          service: service.toLowerCase(),
          ...(version === undefined ? {} : { version }),
          on,
        })),
      };
}

function resolveService(
  { service, release }: ResolveInput,
  trouble: Trouble[],
): string | undefined {
  const written = release.spec.service;
  const path = 'spec.service';
  if (service === undefined && written === undefined) {
    trouble.push({
      path,
      message: 'is missing: name the service, for example component:default/checkout',
    });
  }
  if (
    service !== undefined &&
    written !== undefined &&
    service.toLowerCase() !== written.toLowerCase()
  ) {
    trouble.push({
      path,
      message: `is ${written}, and the release was asked for ${service}: make them the same`,
    });
  }
  return service ?? written;
}

function resolveTemplate(
  { release, documents }: ResolveInput,
  trouble: Trouble[],
): ResourceTemplate | undefined {
  const templates = documents.filter(document => document.kind === 'ResourceTemplate');
  const name = release.spec.template;
  const path = 'spec.template';
  if (name !== undefined) {
    return taken(findByName('ResourceTemplate', name, templates, []), path, trouble)?.document;
  }
  if (templates.length === 0) {
    trouble.push({ path, message: 'is missing, and the service has no ResourceTemplate: add one' });
  }
  if (templates.length > 1) {
    const names = templates
      .map(template => template.metadata.name)
      .sort()
      .join(', ');
    trouble.push({
      path,
      message: `is missing, and the service has several: name one of ${names}`,
    });
  }
  return templates.length === 1 ? templates[0] : undefined;
}

type WithOrigin<S> = { spec: S; from?: 'service' | 'shared' };

function findPlacement(
  input: ResolveInput,
  trouble: Trouble[],
): WithOrigin<PlacementSpec> | undefined {
  const { placement, clusters } = input.release.spec;
  if (placement === undefined) {
    return { spec: { kind: 'list', clusters: clusters ?? [] } };
  }
  const own = input.documents.filter(document => document.kind === 'PlacementRule');
  const found = taken(
    findByName('PlacementRule', placement, own, input.sharedPlacements),
    'spec.placement',
    trouble,
  );
  return found && { spec: resolvePlacement(found.document), from: found.from };
}

function findPolicy(input: ResolveInput, trouble: Trouble[]): WithOrigin<PolicySpec> | undefined {
  const policy = input.release.spec.policy ?? {};
  if (typeof policy !== 'string') {
    return { spec: resolvePolicy(policy) };
  }
  const own = input.documents.filter(document => document.kind === 'DistributionPolicy');
  const found = taken(
    findByName('DistributionPolicy', policy, own, input.sharedPolicies),
    'spec.policy',
    trouble,
  );
  return found && { spec: resolvePolicy(found.document.spec), from: found.from };
}

function taken<D>(found: Found<D>, path: string, trouble: Trouble[]) {
  if ('message' in found) {
    trouble.push({ path, ...found });
    return undefined;
  }
  return found;
}
