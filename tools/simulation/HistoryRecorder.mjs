import { isDeepStrictEqual } from 'node:util';

/**
 * Writes down one release while the simulation plays it, in the form that
 * `replayHistory.ts` reads. Whatever repeats what was before is left out.
 */
export class HistoryRecorder {
  #releaseId;
  /** @type {any[]} */
  #steps = [];
  /** @type {string[]} */
  #events = [];
  /** @type {Map<string, string>} */
  #seen = new Map();
  /** @type {any} */
  #start;
  /** As the last step left it. @type {any} */
  #run;
  /** @type {any} */
  #settings;

  /** @param {string} releaseId */
  constructor(releaseId) {
    this.#releaseId = releaseId;
  }

  /**
   * Told of every module of the simulation, and puts itself between.
   *
   * @param {string} path
   * @param {any} exports
   */
  onLoad(path, exports) {
    if (path.endsWith('/decide/decide.ts')) {
      const { decide } = exports;
      exports.decide = (/** @type {any[]} */ ...given) => {
        const decision = decide(...given);
        this.#turn(given, decision);
        return decision;
      };
    }
    if (path.endsWith('/simulation/commands.ts')) {
      const { giveOrder } = exports;
      exports.giveOrder = (/** @type {any[]} */ ...given) => {
        const told = given[1].events.length;
        const end = giveOrder(...given);
        this.#order(given, end, told);
        return end;
      };
    }
  }

  /** @param {string} name */
  history(name) {
    const { state, stage, targets } = this.#run;
    return {
      format: 1,
      name,
      settings: this.#settings,
      start: this.#start,
      steps: this.#steps,
      end: {
        state,
        stage,
        targets: Object.fromEntries(targets.map((/** @type {any} */ t) => [t.key, t.state])),
        events: this.#events,
      },
    };
  }

  /**
   * @param {any[]} given
   * @param {any} decision
   */
  #turn([before, inputs, now, settings], decision) {
    if (before.id !== this.#releaseId) {
      return;
    }
    this.#settings = settings;
    this.#begin(before);
    const isQuiet =
      decision.events.length + decision.effects.length + inputs.outcomes.length === 0 &&
      sameRun(before, decision.run);
    if (isQuiet) {
      return;
    }
    this.#steps.push({ turn: this.#recordedTurn(inputs, now, before.lastSequence) });
    this.#run = plain(decision.run);
    this.#events.push(...decision.events.map((/** @type {any} */ event) => event.code));
  }

  /** @param {any} before the run as it is loaded: others may have changed it */
  #begin(before) {
    if (!this.#start) {
      this.#start = plain(before);
      this.#run = this.#start;
      return;
    }
    const fields = Object.keys({ ...this.#run, ...before }).filter(
      field => field !== 'lastSequence' && !same(this.#run[field], before[field]),
    );
    if (fields.length > 0) {
      this.#steps.push({
        set: plain(Object.fromEntries(fields.map(field => [field, before[field]]))),
      });
    }
  }

  /**
   * @param {any} inputs
   * @param {number} now
   * @param {number} lastSequence
   */
  #recordedTurn(inputs, now, lastSequence) {
    const { observations, outcomes, inFlight, ticket, queue, controls } = inputs;
    /** @type {Record<string, unknown>} */
    const seen = {};
    for (const { key, at, ...sight } of observations) {
      const text = JSON.stringify(sight);
      if (this.#seen.get(key) !== text) {
        this.#seen.set(key, text);
        seen[key] = sight;
      }
    }
    return plain({
      now,
      ticket,
      lastSequence,
      seen: Object.keys(seen).length > 0 ? seen : undefined,
      ago: Object.fromEntries(
        observations.map((/** @type {any} */ { key, at }) => [key, now - at]),
      ),
      ends:
        outcomes.length > 0
          ? outcomes.map((/** @type {any} */ { effect, outcome, at }) => ({
              id: effect.id,
              outcome,
              ago: now - at,
            }))
          : undefined,
      inFlight: inFlight.size > 0 ? Object.fromEntries(inFlight) : undefined,
      queue: queue && { ...queue, current: [...queue.current] },
      controls: isNothing(controls) ? undefined : controls,
    });
  }

  /**
   * @param {any[]} given
   * @param {unknown} end
   * @param {number} told events before it
   */
  #order([, row, action, order], end, told) {
    if (row.run.id !== this.#releaseId || end !== 'changed') {
      return;
    }
    const { by, now, request, facts } = order;
    const memberOf = facts?.viewer?.memberOf ?? [];
    this.#steps.push({ order: plain({ action, by, now, request, memberOf }) });
    this.#events.push(...row.events.slice(told).map((/** @type {any} */ { code }) => code));
    this.#run = plain(row.run);
  }
}

/** @param {unknown} value */
function plain(value) {
  return JSON.parse(JSON.stringify(value));
}

/**
 * @param {unknown} left
 * @param {unknown} right
 */
function same(left, right) {
  return isDeepStrictEqual(plain(left ?? null), plain(right ?? null));
}

/**
 * @param {any} left
 * @param {any} right
 */
function sameRun(left, right) {
  return same({ ...left, plans: left.plans.length }, { ...right, plans: right.plans.length });
}

/** @param {any} controls */
function isNothing(controls) {
  return (
    !controls ||
    Object.values(controls).every(
      orders => Object.keys(/** @type {object} */ (orders)).length === 0,
    )
  );
}
