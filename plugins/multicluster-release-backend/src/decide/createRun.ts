import type { Plan, PlanTarget, TargetKey } from 'backstage-plugin-multicluster-release-common';
import type { CurrentRecord, ReleaseRun, TargetRun } from './types';

export interface CreateRunInput {
  id: string;
  plan: Plan;
  /** Of this plan; larger than all earlier ones of the service. */
  sequence: number;
  current: ReadonlyMap<TargetKey, CurrentRecord>;
  /** Risks that the preview showed, by target; starting the plan accepts them. */
  acceptedRisks: ReadonlyMap<TargetKey, string[]>;
  /** Active release of the service that must end first. */
  queuedBehind?: string;
  /** Who may not agree to it alone (approvals). */
  startedBy?: string;
  now: number;
}

/** The first state of a release, before any turn of decide. */
export function createRun(input: CreateRunInput): ReleaseRun {
  const { plan, now } = input;
  return {
    id: input.id,
    service: plan.service,
    state: 'Pending',
    targetVersion: plan.targetVersion,
    plans: [plan],
    sequences: { [plan.number]: input.sequence },
    lastSequence: input.sequence,
    stage: 0,
    stages: plan.stages.map(({ index }) => ({ index })),
    targets: plan.targets.map(target => createTarget(target, input)),
    queuedBehind: input.queuedBehind,
    startedBy: input.startedBy,
    waiting: [],
    createdAt: now,
    needsWork: true,
  };
}

/** A target before its first turn. */
export function createTarget(
  target: PlanTarget,
  input: Pick<CreateRunInput, 'plan' | 'current' | 'acceptedRisks'>,
): TargetRun {
  const record = input.current.get(target.key);
  const stage = input.plan.stages.find(({ targets }) => targets.includes(target.key));
  return {
    key: target.key,
    cluster: target.cluster,
    namespace: target.namespace,
    group: target.group,
    state: target.unchanged ? 'Unchanged' : 'Pending',
    plan: input.plan.number,
    stage: stage?.index ?? 0,
    position: 0,
    from: target.from,
    fromSequence: record?.sequence,
    brokenBefore: record?.unproven ? true : undefined,
    inventory: record?.inventory ?? [],
    inventoryBefore: record?.inventory,
    touched: false,
    attempts: 0,
    acceptedRisks: input.acceptedRisks.get(target.key) ?? [],
    health: { state: 'Unknown' },
    phases: [],
  };
}
