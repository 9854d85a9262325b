import {
  counted,
  compile,
  selectTargets,
  type ContentRef,
  type Finding,
  type Plan,
  type ReleaseSpec,
  type Selection,
  type TargetKey,
} from 'backstage-plugin-multicluster-release-common';
import { sha256 } from '../../decide/sha256';
import { listHolds, listReleases } from '../../store';
import type { CommandContext, ServiceEntity } from '../CommandContext';
import type { ReleaseToRun } from '../documents/DocumentModel';
import type { GatheredRelease } from '../documents/gatherDocuments';
import { checkTenancy } from './checkTenancy';
import { nameTemplate, templateDigest } from './configVersion';
import { dependencyFindings } from './dependencyFindings';
import { jobTenancy } from './jobTenancy';
import { fitToRoom } from './room/fitToRoom';
import type { CurrentState } from './currentState';
import { readCurrent } from './readCurrent';
import { readManifestSource, type ManifestSet } from './readManifestSource';
import { renderTargets, type RenderedTarget } from './renderTargets';
import { trustedFleet } from './trustedFleet';

export interface CompileRequest {
  entity: ServiceEntity;
  gathered: GatheredRelease;
  /** The caller may write objects outside of namespaces. Asked only where there are some. */
  clusterScopedAllowed(): Promise<boolean>;
}

export interface CompiledRelease {
  spec: ReleaseSpec;
  /** Undefined where a finding is an error. */
  plan?: Plan;
  findings: Finding[];
  selection: Selection;
  current: CurrentState;
}

/**
 * From documents to a plan: selects, renders, stores the content and compiles.
 * Of the clusters it asks only what their quotas leave.
 *
 * @throws ClusterListUntrustedError, RefusedError, SourceUnreadableError, DocumentsRefusedError
 */
export async function compileRelease(
  context: CommandContext,
  request: CompileRequest,
): Promise<CompiledRelease> {
  const { release, base } = request.gathered;
  const fleet = trustedFleet(context);
  const selection = selectTargets(release.spec.placement, fleet);
  const current = await readCurrent(context.database, release.spec.service);
  const manifests = await readManifestSource(context, {
    source: release.template.source,
    version: release.spec.targetVersion,
    base,
  });
  const { spec, findings: nameFindings } = await named(context, release, manifests.objects);
  const { rendered: whole, findings } = renderTargets(
    release,
    manifests.objects,
    selection.targets,
  );
  const { rendered, findings: roomFindings } = await fitToRoom(context, {
    rendered: whole,
    adapt: spec.policy.adapt ?? false,
    expected: current.expected,
  });
  findings.unshift(
    ...queueFindings(spec, current),
    ...release.findings,
    ...sourceFindings(request.gathered, manifests),
  );
  findings.push(
    ...nameFindings,
    ...roomFindings,
    ...(await tenancyFindings(context, request, rendered)),
    ...(await holdFindings(context, spec)),
    ...(await dependencyFindings(context, { spec, targets: selection.targets, fleet })),
  );
  if (findings.some(isError)) {
    return { spec, findings: [...selection.findings, ...findings], selection, current };
  }
  const contents = await storeContents(context, spec, rendered);
  const compiled = compile({
    ...{ spec, selection, contents, sha256 },
    current: current.expected,
    unproven: current.unproven,
  });
  const { plan } = compiled;
  const { owner } = request.entity;
  const unfit = plan ? jobTenancy(plan, { rules: context.settings.tenancy, owner }) : [];
  findings.push(...unfit);
  if (plan?.targets.every(target => target.unchanged)) {
    findings.push(runsEverywhere(plan));
  }
  return {
    spec,
    plan: unfit.length > 0 ? undefined : plan,
    findings: [...compiled.findings, ...findings],
    selection,
    current,
  };
}

export function isError({ severity }: Finding): boolean {
  return severity === 'error';
}

/** What becomes of the release that is under way. */
function queueFindings(
  { policy }: ReleaseSpec,
  { queuedBehind, versionAhead = '' }: CurrentState,
): Finding[] {
  if (queuedBehind === undefined) {
    return [];
  }
  const params = { releaseId: queuedBehind, version: versionAhead };
  return policy.onNewer === 'Supersede'
    ? [
        {
          severity: 'warning',
          code: 'WillSupersede',
          params,
          message: `The release of ${versionAhead} that is under way is stopped, and this one takes its place.`,
        },
      ]
    : [
        {
          severity: 'info',
          code: 'WillQueue',
          params,
          message: `This release waits until the one of ${versionAhead} that is under way has ended.`,
        },
      ];
}

/** Which commit a version's manifests came from; where no `ref` picks one, the newest was read. */
function sourceFindings({ release }: GatheredRelease, { revision }: ManifestSet): Finding[] {
  const { source } = release.template;
  if (!('location' in source) || source.ref === undefined || revision === undefined) {
    return [];
  }
  return [
    {
      severity: 'info',
      code: 'ManifestsRead',
      params: { ref: source.ref, revision, version: release.spec.targetVersion },
      message: `The manifests of ${release.spec.targetVersion} were read at ${source.ref}, which is ${revision}.`,
      path: 'spec.source.manifests.ref',
    },
  ];
}

/** The spec with the name of its configuration, by what the releases before were made of. */
async function named(
  { database }: CommandContext,
  { spec, template }: ReleaseToRun,
  manifests: unknown[],
): Promise<{ spec: ReleaseSpec; findings: Finding[] }> {
  const { items } = await listReleases(database, { services: [spec.service], limit: 500 });
  const history = items.flatMap(release => release.spec.template ?? []);
  const digest = templateDigest(template, manifests);
  const name = nameTemplate(template, digest, history);
  return { spec: { ...spec, template: name.template }, findings: name.findings };
}

async function tenancyFindings(
  { settings }: CommandContext,
  { entity, clusterScopedAllowed }: CompileRequest,
  rendered: RenderedTarget[],
): Promise<Finding[]> {
  const asks = rendered.some(({ objects }) =>
    objects.some(object => object.metadata.namespace === undefined),
  );
  const allowed = asks ? await clusterScopedAllowed() : true;
  return rendered.flatMap(({ target, objects }) =>
    checkTenancy({
      rules: settings.tenancy,
      owner: entity.owner,
      cluster: target.cluster,
      objects,
      clusterScopedAllowed: allowed,
    }),
  );
}

async function holdFindings(
  { database }: CommandContext,
  { service, targetVersion }: ReleaseSpec,
): Promise<Finding[]> {
  const { items } = await listHolds(database, {
    services: [service],
    version: targetVersion,
    limit: 1,
  });
  return items.map(hold => ({
    severity: 'error',
    code: 'OnHold',
    params: { version: hold.version, why: hold.reason, holdId: hold.id, releaseId: hold.releaseId },
    message: `${hold.version} is on hold since it was rolled back: ${hold.reason}. Release the hold to bring it again.`,
  }));
}

/** Stores each distinct content once. */
async function storeContents(
  { contents }: CommandContext,
  { targetVersion: version, template }: ReleaseSpec,
  rendered: RenderedTarget[],
): Promise<Map<TargetKey, ContentRef>> {
  const configVersion = template?.configVersion;
  const distinct = new Set(rendered.map(({ objects }) => objects));
  const digests = new Map<unknown, string>();
  for (const objects of distinct) {
    digests.set(objects, await contents.put({ version, configVersion, objects }));
  }
  return new Map(
    rendered.map(({ target, objects }) => [
      target.key,
      { digest: digests.get(objects) ?? '', version, configVersion },
    ]),
  );
}

function runsEverywhere({ targetVersion, targets }: Plan): Finding {
  return {
    severity: 'info',
    code: 'RunsEverywhere',
    params: { version: targetVersion, count: targets.length },
    message: `${targetVersion} runs on all ${counted(
      targets.length,
      'cluster',
    )} already: the release will write nothing and succeed at once.`,
  };
}
