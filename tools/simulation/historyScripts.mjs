/** What is recorded as histories: one script for each way that a release goes, of a few clusters each. */

const MINUTE = 60_000;

const POLICY = {
  order: { by: 'groups' },
  timeoutMilliseconds: 5 * MINUTE,
  retries: 0,
  maxFailures: 0,
  onFailure: 'RollbackTouched',
  onNewer: 'Queue',
  offline: { policy: 'Wait', afterMilliseconds: 2 * MINUTE },
  prune: true,
};

const CANARY = {
  type: 'Canary',
  steps: [{ group: 'canary', pause: { milliseconds: MINUTE } }, { group: 'rest' }],
};

const PARALLEL = {
  type: 'RollingUpdate',
  mode: 'Parallel',
  batches: { by: 'groups' },
  stabilizeMilliseconds: 0,
};

/** @param {string} version */
function start(version, { at = 0, strategy = /** @type {any} */ (CANARY), policy = {} } = {}) {
  return { at, do: 'start', version, strategy, policy: { ...POLICY, ...policy } };
}

/**
 * @param {number} at
 * @param {string} action
 */
function order(at, action, extra = {}) {
  const rest = { nth: 0, sees: 'now', full: false, releaseHold: true, twice: false, who: 1 };
  return { at, do: 'order', action, ...rest, ...extra };
}

/**
 * @param {number} at
 * @param {string} name
 * @param {number} lasts
 */
function fault(at, name, lasts, { on = 1, value = 0.6 } = {}) {
  return { at, do: 'fault', fault: name, on, lasts, value };
}

/**
 * @param {string} name
 * @param {any[]} moves
 */
function history(name, moves, { crashes = /** @type {string[]} */ ([]), of = 'r1' } = {}) {
  const clusters = ['c1', 'c2', 'c3'].map((cluster, index) => ({
    name: cluster,
    before: 'managed',
    crashes: index === 1 ? crashes : [],
  }));
  return { name, of, script: { seed: 1, clusters, replicas: 2, moves } };
}

const approval = { required: 2, from: [], selfApproval: false, when: 'after' };

export const HISTORY_SCRIPTS = [
  history('success', [start('2.0.0')]),
  history('crash-and-rollback', [start('2.0.0')], { crashes: ['2.0.0'] }),
  history('pause-and-resume', [start('2.0.0'), order(20_000, 'pause'), order(150_000, 'resume')]),
  history('queue', [start('2.0.0'), start('3.0.0', { at: 30_000, strategy: PARALLEL })], {
    of: 'r2',
  }),
  history('offline', [
    start('2.0.0', { policy: { offline: { policy: 'Skip', afterMilliseconds: MINUTE } } }),
    fault(30_000, 'outage', 8 * MINUTE),
  ]),
  history('retry-after-a-stop', [
    start('2.0.0', { strategy: PARALLEL, policy: { onFailure: 'Pause' } }),
    fault(2_000, 'sickPods', 30_000),
    order(60_000, 'retry'),
  ]),
  history('abort', [
    start('2.0.0', { policy: { maxConcurrency: { count: 1 } } }),
    order(62_500, 'abort'),
  ]),
  history('approval', [
    start('2.0.0', { strategy: { type: 'Canary', steps: [{ group: 'canary', approval }] } }),
    order(60_000, 'approve'),
    order(90_000, 'approve', { who: 2 }),
  ]),
  history('another-holder', [start('2.0.0'), fault(20_000, 'killReplica', 30_000, { on: 0 })]),
];
