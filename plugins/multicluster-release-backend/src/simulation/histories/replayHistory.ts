/*
 * A history is one release as this version of the code has played it: how it began,
 * and then each turn's inputs and each person's order. Today's code decides anew
 * from its own results; where it ends elsewhere, a release that is under way during
 * an upgrade would, too.
 */
import type { ActionName, ActionRequest } from 'backstage-plugin-multicluster-release-common';
import type {
  Effect,
  Outcome,
  TargetObservation,
} from 'backstage-plugin-multicluster-release-node';
import { applyOrder } from '../../commands/actions/changes';
import { decide, type DecideSettings, type Inputs, type ReleaseRun } from '../../decide';

/** What is as in the turn before is left out. */
export interface RecordedTurn {
  now: number;
  ticket: number;
  /** By target: what was seen, where it changed. */
  seen?: Record<string, Omit<TargetObservation, 'key' | 'at'>>;
  /** By target: how long before now that was. */
  ago: Record<string, number>;
  ends?: { id: string; outcome: Outcome; ago: number }[];
  inFlight?: Record<string, string>;
  queue?: { aheadEnded: boolean; current: [string, CurrentRecord][]; hold?: string };
  controls?: Inputs['controls'];
  lastSequence: number;
}

type CurrentRecord = NonNullable<Inputs['queue']>['current'] extends ReadonlyMap<string, infer R>
  ? R
  : never;

export interface RecordedOrder {
  action: ActionName;
  by: string;
  now: number;
  request: ActionRequest;
  memberOf: string[];
}

export interface HistoryEnd {
  state: string;
  stage: number;
  targets: Record<string, string>;
  events: string[];
}

export interface History {
  format: 1;
  name: string;
  settings: DecideSettings;
  start: ReleaseRun;
  steps: ({ turn: RecordedTurn } | { order: RecordedOrder } | { set: Partial<ReleaseRun> })[];
  end: HistoryEnd;
}

export function replayHistory({ start, steps, settings }: History): HistoryEnd {
  const replay = new Replay(start, settings);
  for (const step of steps) {
    if ('turn' in step) {
      replay.turn(step.turn);
    } else if ('order' in step) {
      replay.order(step.order);
    } else {
      replay.set(step.set);
    }
  }
  return replay.end();
}

class Replay {
  private readonly effects = new Map<string, Effect>();
  private readonly seen = new Map<string, Omit<TargetObservation, 'key' | 'at'>>();
  private readonly events: string[] = [];

  constructor(private run: ReleaseRun, private readonly settings: DecideSettings) {}

  turn(recorded: RecordedTurn): void {
    const run = { ...this.run, lastSequence: recorded.lastSequence };
    const decision = decide(run, this.inputsOf(recorded), recorded.now, this.settings);
    // As rows keep it.
    this.run = JSON.parse(JSON.stringify(decision.run));
    this.events.push(...decision.events.map(({ code }) => code));
    decision.effects.forEach(effect => this.effects.set(effect.id, effect));
  }

  order({ action, by, now, request, memberOf }: RecordedOrder): void {
    const facts = { viewer: { ref: by, memberOf } };
    const ended = applyOrder(action, this.run, { by, now, request, facts });
    if ('refusal' in ended) {
      throw new Error(`${action} at ${now} is refused today: ${ended.refusal.message}`);
    }
    this.run = JSON.parse(JSON.stringify(ended.run));
    this.events.push(...ended.events.map(({ code }) => code));
  }

  /** What other releases of the service did to this one. */
  set(fields: Partial<ReleaseRun>): void {
    this.run = { ...this.run, ...fields };
  }

  end(): HistoryEnd {
    const { state, stage, targets } = this.run;
    return {
      state,
      stage,
      targets: Object.fromEntries(targets.map(target => [target.key, target.state])),
      events: this.events,
    };
  }

  private inputsOf(recorded: RecordedTurn): Inputs {
    const { now, ticket, seen = {}, ago, ends = [], inFlight = {}, queue, controls } = recorded;
    Object.entries(seen).forEach(([key, sight]) => this.seen.set(key, sight));
    return {
      observations: Object.entries(ago).map(([key, before]) => {
        const sight = this.seen.get(key) as Omit<TargetObservation, 'key' | 'at'>;
        return { ...sight, key, at: now - before };
      }),
      outcomes: ends.map(({ id, outcome, ago: before }) => ({
        effect: this.effectOf(id),
        outcome,
        at: now - before,
      })),
      inFlight: new Map(Object.entries(inFlight)),
      ticket,
      controls,
      queue: queue && { ...queue, current: new Map(queue.current) },
    };
  }

  private effectOf(id: string): Effect {
    const effect = this.effects.get(id);
    if (!effect) {
      throw new Error(`today's code has not asked for the effect ${id}`);
    }
    return effect;
  }
}
