import type { Finding } from '../status/findings';
import { canonicalJson } from './canonicalJson';
import { canaryStages } from './canary';
import { unavailableBound } from './availability';
import { orderTargets } from './order';
import { matchingOverrides } from './overrides';
import { rollingStages } from './rolling';
import type { SelectedTarget, Selection } from './selectTargets';
import type { ReleaseSpec } from './spec';
import type { StageDraft } from './stages';
import { numberStages } from './stages';
import type { ContentRef, Plan, PlanRules, PlanTarget, TargetKey } from './types';

export interface CompileInput {
  spec: ReleaseSpec;
  selection: Selection;
  /** Rendered content of each selected target. */
  contents: ReadonlyMap<TargetKey, ContentRef>;
  /** What our record says each target runs (or will run, after the release ahead). */
  current: ReadonlyMap<TargetKey, ContentRef | undefined>;
  /** Of those: targets that were sent something else since, which was never proven there. They get it again. */
  unproven?: Pick<ReadonlySet<TargetKey>, 'has'>;
  number?: number;
  /** SHA-256 in hex of a text. */
  sha256: (text: string) => string;
}

export interface CompileResult {
  /** Undefined where a finding is an error. */
  plan?: Plan;
  findings: Finding[];
}

/** Compiles a spec to a plan. Pure: equal input gives an equal plan and an equal hash. */
export function compile(input: CompileInput): CompileResult {
  const { spec, selection } = input;
  const ordered = orderTargets(selection.targets, spec.policy.order, spec.placement.kind);
  const drafted = draftStages(spec, ordered.targets, selection);
  const findings = [
    ...selection.findings,
    ...ordered.findings,
    ...drafted.findings,
    ...boundFindings(spec, selection),
  ];
  if (findings.some(finding => finding.severity === 'error')) {
    return { findings };
  }
  const placed = new Map(
    drafted.stages.flatMap(stage => stage.targets.map(target => [target.key, target] as const)),
  );
  const targets = [...placed.values()].map(target => planTarget(target, input));
  const plan: Plan = {
    format: 1,
    number: input.number ?? 1,
    hash: planHash(spec, targets, input.sha256),
    kind: 'forward',
    service: spec.service,
    targetVersion: spec.targetVersion,
    targets,
    stages: numberStages(drafted.stages, spec.policy),
    rules: rulesOf(spec, selection),
  };
  return { plan, findings };
}

/**
 * `sha256:…` over the spec, the ordered targets with group and from-version, and
 * the content digest of each; never over live state (design.md section 1).
 */
export function planHash(
  spec: unknown,
  targets: PlanTarget[],
  sha256: (text: string) => string,
): string {
  const covered = targets.map(({ key, group, from, to, unchanged }) => ({
    key,
    group,
    fromVersion: from?.version,
    fromDigest: from?.digest,
    toDigest: to?.digest,
    ...(from && from.digest === to?.digest && !unchanged ? { again: true } : {}),
  }));
  return `sha256:${sha256(canonicalJson({ spec, targets: covered }))}`;
}

function planTarget(target: SelectedTarget, input: CompileInput): PlanTarget {
  const { key, cluster, namespace, group } = target;
  const from = input.current.get(key);
  const to = input.contents.get(key);
  const matches = input.spec.overrideMatches;
  return {
    key,
    cluster,
    namespace,
    group,
    from,
    to,
    ...(matches ? { overrides: matchingOverrides(matches, target.fleet) } : {}),
    unchanged: from !== undefined && from.digest === to?.digest && !input.unproven?.has(key),
  };
}

function rulesOf(spec: ReleaseSpec, { targets }: Selection): PlanRules {
  const { maxFailures, onFailure, retries, offline, prune, onNewer } = spec.policy;
  const { maxUnavailable, joining, windows } = spec.policy;
  return {
    maxFailures,
    onFailure,
    retries,
    rollbackOn: spec.rollbackOn,
    offline,
    prune,
    pruneAlso: spec.pruneAlso,
    onNewer,
    ...(joining ? { joining } : {}),
    ...(maxUnavailable ? { maxUnavailable: unavailableBound(maxUnavailable, targets.length) } : {}),
    ...(windows ? { windows } : {}),
    ...(spec.dependsOn ? { dependsOn: spec.dependsOn } : {}),
  };
}

/** None may be made unavailable: then only what is unavailable already ever starts. */
function boundFindings({ policy }: ReleaseSpec, { targets }: Selection): Finding[] {
  const { maxUnavailable } = policy;
  return maxUnavailable && unavailableBound(maxUnavailable, targets.length) === 0
    ? [
        {
          severity: 'warning',
          code: 'NothingMayBecomeUnavailable',
          params: {},
          message:
            'maxUnavailable of 0 starts only clusters that are unavailable already, and holds all others. Set it to 1 or more.',
          path: 'spec.policy.maxUnavailable',
        },
      ]
    : [];
}

function draftStages(
  spec: ReleaseSpec,
  targets: SelectedTarget[],
  selection: Selection,
): { stages: StageDraft[]; findings: Finding[] } {
  if (spec.strategy.type === 'Canary') {
    return canaryStages(spec.strategy, targets);
  }
  // Whatever the order within them: groups follow each other as the placement has them.
  const groups = [...new Set(selection.targets.map(({ group }) => group))];
  return rollingStages(spec.strategy, targets, groups);
}
