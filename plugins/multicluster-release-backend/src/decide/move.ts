import {
  mayFollow,
  TARGET_STATES,
  type TargetState,
} from 'backstage-plugin-multicluster-release-common';
import type { Turn } from './turn';
import type { ReleaseRun, RunEvent, TargetRun } from './types';

/** The only way in which a target's state changes. @throws where the table of transitions has no such step */
export function moveTarget(target: TargetRun, state: TargetState): void {
  if (!mayFollow(target.state, state)) {
    throw new Error(`${target.key}: ${state} cannot follow ${target.state}`);
  }
  target.state = state;
}

/**
 * Tells every change of a target's state, so that a release can be retold from
 * its events alone: in the event that says why, else in one of its own.
 */
export function tellStates(turn: Turn, before: ReleaseRun): void {
  for (const { key, state } of turn.run.targets) {
    turn.events
      .filter(event => event.key === key)
      .forEach(event => Object.assign(event.params, { state }));
  }
  const told = new Set(turn.events.map(({ key }) => key));
  turn.events.push(...stateEvents(turn.run, before).filter(({ key }) => !told.has(key)));
}

/** One event for each target whose state differs from before; for every one where there is no before. */
export function stateEvents(run: ReleaseRun, before?: ReleaseRun): RunEvent[] {
  const states = new Map(before?.targets.map(({ key, state }) => [key, state]));
  return run.targets
    .filter(({ key, state }) => states.get(key) !== state)
    .map(({ key, state, cluster, namespace, stage }) => ({
      kind: 'target',
      code: 'TargetState',
      params: { cluster, namespace, state },
      message: `${cluster}/${namespace}: ${TARGET_STATES[state].word.toLowerCase()}`,
      actor: 'system',
      key,
      stage,
    }));
}
