import pLimit from 'p-limit';
import type {
  DiffClass,
  Finding,
  Plan,
  PlanTarget,
  WeightRule,
} from 'backstage-plugin-multicluster-release-common';
import type { TargetPreview } from 'backstage-plugin-multicluster-release-node';
import type { CommandContext } from '../CommandContext';
import type { CurrentState } from './currentState';
import { mergeDiffs } from './mergeDiffs';
import { previewMetrics } from './previewMetrics';

export interface PreviewedTargets {
  diff: DiffClass[];
  findings: Finding[];
  /** By target key: what is removed, replaced or taken over; starting the plan accepts it. */
  risks: Record<string, string[]>;
}

/** Clusters that are asked at once; each has its own time-out and costs nobody else. */
const CLUSTERS_AT_ONCE = 50;

/** Dry run on every cluster of the plan that is to be written to, and a reading of each measurement. */
export async function previewTargets(
  context: CommandContext,
  plan: Plan,
  current: CurrentState,
): Promise<PreviewedTargets> {
  const limit = pLimit(CLUSTERS_AT_ONCE);
  const targets = plan.targets.filter(target => !target.unchanged && target.to !== undefined);
  const previews = await Promise.all(
    targets.map(target =>
      limit(async () => ({ target, preview: await previewTarget(context, plan, target, current) })),
    ),
  );
  // Of a cluster that is away the record's removals are shown, and accepted by starting, all the same.
  const shown = previews.filter(
    ({ preview }) => preview.clusterState === 'ok' || preview.changes.length > 0,
  );
  return {
    diff: mergeDiffs(
      shown.map(({ target: { cluster, namespace, to }, preview }) => ({
        target: { cluster, namespace },
        changes: preview.changes,
        digest: to?.digest,
      })),
    ),
    findings: [
      ...previews.flatMap(({ preview }) => preview.findings),
      ...(await previewMetrics(context, plan)),
    ],
    risks: Object.fromEntries(
      previews
        .filter(({ preview }) => preview.risks.length > 0)
        .map(({ preview }) => [preview.key, preview.risks]),
    ),
  };
}

async function previewTarget(
  { hands, settings }: CommandContext,
  plan: Plan,
  target: PlanTarget,
  current: CurrentState,
): Promise<TargetPreview> {
  const { key, cluster, namespace } = target;
  const signal = AbortSignal.timeout(settings.previewTimeoutSeconds * 1000);
  const request = {
    target: { cluster, namespace },
    key,
    service: plan.service,
    digest: target.to?.digest ?? '',
    fromDigest: target.from?.digest,
    inventory: current.records.get(key)?.inventory ?? [],
    pruneAlso: plan.rules.pruneAlso,
    prune: plan.rules.prune,
    weights: weightsOf(plan, target),
  };
  const preview = await hands.preview(request, signal);
  return preview.clusterState === 'ok' || preview.findings.length > 0
    ? preview
    : { ...preview, findings: [notAsked(preview, cluster)] };
}

function weightsOf({ stages }: Plan, { key }: PlanTarget): WeightRule[] {
  return stages
    .filter(({ targets }) => targets.includes(key))
    .flatMap(({ steps }) => steps.filter(({ instruction }) => instruction === 'weight'))
    .map(({ weight }) => weight)
    .filter(weight => weight !== undefined);
}

/** Who did not answer is said, and is no reason to refuse: the dry run is made again before its first write. */
function notAsked({ clusterState }: TargetPreview, cluster: string): Finding {
  return {
    severity: 'warning',
    code: 'NotPreviewed',
    params: { cluster, state: clusterState },
    message: `${cluster}: did not answer (${clusterState}), so what would change there is not known. It is checked again before its first write.`,
    cluster,
  };
}
