import type { EventView } from '../api/types';
import { targetKey, type TargetKey } from '../plan/types';
import { RELEASE_STATES, type ReleaseState, type TargetState } from '../status/states';

export interface StateSpan<S> {
  state: S;
  /** Epoch milliseconds. */
  since: number;
}

/** A release as its events tell it: enough to draw its whole course without its record. */
export interface ToldRelease {
  version?: string;
  /** The final state; undefined while it is under way. */
  ended?: StateSpan<ReleaseState>;
  stages: { index: number; name: string; startedAt?: number; finishedAt?: number }[];
  /** The states of each target in their order, the last one now. */
  targets: Record<TargetKey, StateSpan<TargetState>[]>;
  /** What people ordered, in their order. */
  orders: { code: string; by: string; at: number; reason?: string }[];
}

/** Retells a release from its events alone, oldest first. Pure. */
export function retell(events: EventView[]): ToldRelease {
  const told: ToldRelease = { stages: [], targets: {}, orders: [] };
  for (const event of events) {
    tellTarget(told, event);
    tellStage(told, event);
    tellRelease(told, event);
    if (event.actor !== 'system') {
      const { code, actor: by, at, reason } = event;
      told.orders.push({ code, by, at, reason });
    }
  }
  return told;
}

function tellTarget({ targets }: ToldRelease, event: EventView): void {
  const { cluster, namespace, params, at } = event;
  if (cluster === undefined || namespace === undefined || params.state === undefined) {
    return;
  }
  const key = targetKey({ cluster, namespace });
  const state = params.state as TargetState;
  const spans = (targets[key] ??= []);
  if (spans.at(-1)?.state !== state) {
    spans.push({ state, since: at });
  }
}

function tellStage({ stages }: ToldRelease, { code, stage: index, params, at }: EventView): void {
  if (index === undefined || (code !== 'StageStarted' && code !== 'StageFinished')) {
    return;
  }
  const known = stages.find(stage => stage.index === index);
  const stage = known ?? { index, name: String(params.stage) };
  if (!known) {
    stages.push(stage);
  }
  Object.assign(stage, code === 'StageStarted' ? { startedAt: at } : { finishedAt: at });
}

function tellRelease(told: ToldRelease, { code, params, at }: EventView): void {
  if (code === 'ReleaseCreated' || code === 'RollbackCreated') {
    told.version = String(params.version);
  }
  const state = code.startsWith('Release')
    ? (code.slice('Release'.length) as ReleaseState)
    : undefined;
  if (state !== undefined && RELEASE_STATES[state]?.final) {
    told.ended = { state, since: at };
  }
}
