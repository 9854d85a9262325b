import type { Finding } from '../status/findings';
import { canonicalJson } from './canonicalJson';
import { canaryStages } from './canary';
import { rollingStages } from './rolling';
import type { SelectedTarget, Selection } from './selectTargets';
import type { PolicySpec, ReleaseSpec } from './spec';
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
  const ordered = orderTargets(selection.targets, spec.policy.order);
  const drafted = draftStages(spec, ordered);
  const findings = [...selection.findings, ...drafted.findings];
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
    rules: rulesOf(spec),
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
  const covered = targets.map(({ key, group, from, to }) => ({
    key,
    group,
    fromVersion: from?.version,
    fromDigest: from?.digest,
    toDigest: to?.digest,
  }));
  return `sha256:${sha256(canonicalJson({ spec, targets: covered }))}`;
}

function planTarget(target: SelectedTarget, input: CompileInput): PlanTarget {
  const { key, cluster, namespace, group } = target;
  const from = input.current.get(key);
  const to = input.contents.get(key);
  return {
    key,
    cluster,
    namespace,
    group,
    from,
    to,
    unchanged: from !== undefined && from.digest === to?.digest,
  };
}

function rulesOf(spec: ReleaseSpec): PlanRules {
  const { maxFailures, onFailure, retries, offline, prune, onNewer } = spec.policy;
  return {
    maxFailures,
    onFailure,
    retries,
    rollbackOn: spec.rollbackOn,
    offline,
    prune,
    pruneAlso: spec.pruneAlso,
    onNewer,
  };
}

function draftStages(
  spec: ReleaseSpec,
  targets: SelectedTarget[],
): { stages: StageDraft[]; findings: Finding[] } {
  return spec.strategy.type === 'Canary'
    ? canaryStages(spec.strategy, targets)
    : rollingStages(spec.strategy, targets);
}

/** Group order is the selection's own; by priority: lower first, ties by name, unlabelled last. */
function orderTargets(targets: SelectedTarget[], order: PolicySpec['order']): SelectedTarget[] {
  if (order.by !== 'priority') {
    return targets;
  }
  const priority = (target: SelectedTarget): number => {
    const value = target.fleet.labels[order.label];
    return value !== undefined && /^-?\d+$/.test(value) ? Number(value) : Number.POSITIVE_INFINITY;
  };
  return [...targets].sort((a, b) => {
    const [left, right] = [priority(a), priority(b)];
    if (left !== right) {
      return left < right ? -1 : 1;
    }
    return a.cluster < b.cluster ? -1 : 1;
  });
}
