import type {
  ActionName,
  PolicySpec,
  StrategySpec,
} from 'backstage-plugin-multicluster-release-common';
import { VERSION_BEFORE, VERSIONS } from './contents';
import { withMetrics, withSours } from './metricSteps';
import { askedOf, drawPolicy, drawStrategy, rolling } from './policies';
import { Random } from './random';

const MINUTE = 60_000;

/** How long things go wrong. */
export const FAULTS_LAST_MILLISECONDS = 18 * MINUTE;

export interface ClusterDraft {
  name: string;
  /** What is there before the first release: ours, somebody else's, or nothing. */
  before: 'managed' | 'adopted' | 'nothing';
  /** Versions that crash there. */
  crashes: string[];
  /** Versions whose measurements are bad there, some time after the beginning. */
  sours?: { version: string; after: number }[];
  /** Not on the list of clusters at first. */
  late?: boolean;
}

const FAULTS = [
  'outage',
  'freeze',
  'flapping',
  'slowPods',
  'slowRequests',
  'oldStatus',
  'lostReplies',
  'sickPods',
  'surprises',
  'refusals',
  'troubles',
  'oldWriter',
  'killReplica',
  'sleepyReplica',
  'databaseErrors',
  'slowDatabase',
] as const;

/** Drawn apart, so that all else stays where it was. */
const SILENCE = 'silence';

export type FaultName = (typeof FAULTS)[number] | typeof SILENCE;

const CONTROLS = [
  'stopAll',
  'stopAll',
  'stopOne',
  'stopButRollback',
  'cordon',
  'denyWindow',
  'allowWindow',
  'leave',
  'dependency',
  'dependency',
] as const;

export type ControlName = (typeof CONTROLS)[number];

/** Something that happens to the world at a time, in milliseconds from its beginning. */
export type Move = { at: number } & (
  | { do: 'start'; version: string; strategy: StrategySpec; policy: PolicySpec }
  | {
      do: 'order';
      action: ActionName;
      /** Which of the releases, counted from the newest. */
      nth: number;
      /** The stage that the person has before the eyes. */
      sees: 'now' | 'earlier' | 'nothing';
      full: boolean;
      releaseHold: boolean;
      /** Only on this one of the clusters, counted. */
      only?: number;
      /** To this version instead of what ran before. */
      toVersion?: string;
      /** Clicked twice. */
      twice: boolean;
      /** Who presses, counted. */
      who: number;
    }
  | { do: 'remove'; on: number; last: boolean }
  | {
      do: 'member';
      change: 'join' | 'leave' | 'leaveForGood' | 'listFails';
      on: number;
      lasts: number;
    }
  | { do: 'entity'; change: 'gone' | 'back' }
  | { do: 'control'; control: ControlName; on: number; lasts: number; value: number }
  | { do: 'fault'; fault: FaultName; on: number; lasts: number; value: number }
);

/** All that happens in one world, drawn before it begins: so that a piece can be left out and the rest stays. */
export interface Script {
  seed: number;
  clusters: ClusterDraft[];
  replicas: number;
  moves: Move[];
}

export function drawScript(seed: number): Script {
  const random = Random.named(seed, 'script');
  const clusters = withSours(Random.named(seed, 'sours'), drawClusters(random));
  const moves = [
    ...withMetrics(
      Random.named(seed, 'metrics'),
      askLists(Random.named(seed, 'lists'), drawReleases(random)),
    ),
    ...drawFaults(random, random.pick([0, 6, 14, 24])),
    ...drawOrders(random, random.pick([0, 4, 10, 20])),
    ...drawControls(random, random.pick([0, 0, 1, 3])),
    ...drawSkips(Random.named(seed, 'skips')),
    ...drawReturns(Random.named(seed, 'returns')),
    ...drawAnswers(Random.named(seed, 'answers')),
    ...drawOrphans(Random.named(seed, 'orphans')),
    ...drawSilence(Random.named(seed, 'silence')),
    ...drawRemovals(Random.named(seed, 'removals')),
  ];
  const script = { seed, clusters, replicas: random.between(1, 3), moves };
  const { moves: all, ...rest } = withMembers(Random.named(seed, 'members'), script);
  return { ...rest, moves: all.sort((a, b) => a.at - b.at) };
}

function drawClusters(random: Random): ClusterDraft[] {
  const everywhere = random.chance(0.12);
  const share = random.chance(0.3) ? 0.4 : 0;
  const firstTime = random.chance(0.2);
  return Array.from({ length: random.between(1, 6) }, (_, index) => ({
    name: `c${index + 1}`,
    before: firstTime ? random.pick(['adopted', 'nothing', 'managed'] as const) : 'managed',
    crashes: ['2.0.0', '3.0.0'].filter(version =>
      version === '2.0.0' ? everywhere || random.chance(share) : random.chance(share / 2),
    ),
  }));
}

/** The first at once; others of the same service while it still runs, or after. */
function drawReleases(random: Random): Move[] {
  const count = random.pick([1, 1, 2, 3]);
  return Array.from({ length: count }, (_, index) => ({
    at: index === 0 ? 0 : random.between(10_000, FAULTS_LAST_MILLISECONDS),
    do: 'start' as const,
    version: index === 0 ? '2.0.0' : random.pick(VERSIONS),
    strategy: drawStrategy(random),
    policy: drawPolicy(random),
  }));
}

function drawFaults(random: Random, count: number): Move[] {
  return Array.from({ length: count }, () => {
    const at = random.between(1_000, FAULTS_LAST_MILLISECONDS - MINUTE);
    return {
      at,
      do: 'fault' as const,
      fault: random.pick(FAULTS),
      on: random.between(0, 59),
      lasts: random.between(1_000, Math.min(240_000, FAULTS_LAST_MILLISECONDS - at)),
      value: random.next(),
    };
  });
}

/** In some worlds measurements cannot be read for a while. */
function drawSilence(random: Random): Move[] {
  const count = random.chance(0.3) ? random.between(1, 4) : 0;
  return Array.from({ length: count }, () => {
    const at = random.between(1_000, FAULTS_LAST_MILLISECONDS - MINUTE);
    return {
      at,
      do: 'fault' as const,
      fault: SILENCE,
      on: random.between(0, 59),
      lasts: random.between(10_000, Math.min(300_000, FAULTS_LAST_MILLISECONDS - at)),
      value: random.next(),
    };
  });
}

const ACTIONS: ActionName[] = [
  'pause',
  'pause',
  'resume',
  'resume',
  'promote',
  'promote',
  'promote',
  'rollback',
  'rollback',
  'abort',
  'retry',
  'retry',
  'accept',
  'approve',
  'approve',
  'approve',
  'reject',
  'skip-cluster',
  'skip-wait',
  'skip-gate',
];

function drawOrders(random: Random, count: number): Move[] {
  return Array.from({ length: count }, () => ({
    at: random.between(1_000, FAULTS_LAST_MILLISECONDS),
    do: 'order' as const,
    action: random.pick(ACTIONS),
    nth: random.pick([0, 0, 0, 1, 2]),
    sees: random.pick(['now', 'now', 'earlier', 'nothing'] as const),
    full: random.chance(0.2),
    releaseHold: random.chance(0.7),
    ...(random.chance(0.15) && { only: random.between(0, 5) }),
    twice: random.chance(0.2),
    who: random.between(0, 2),
  }));
}

/** In some worlds somebody is impatient: waits and gates are skipped while they last. */
function drawSkips(random: Random): Move[] {
  const count = random.chance(0.1) ? random.between(10, 30) : 0;
  return Array.from({ length: count }, () => ({
    at: random.between(5_000, FAULTS_LAST_MILLISECONDS / 2),
    do: 'order' as const,
    action: random.pick(['skip-wait', 'skip-wait', 'skip-gate'] as const),
    nth: 0,
    sees: 'now' as const,
    full: false,
    releaseHold: false,
    twice: false,
    who: random.between(0, 2),
  }));
}

/** In some worlds several versions come and go, and people send back what has ended, or what sent it back. */
function drawReturns(random: Random): Move[] {
  if (!random.chance(0.2)) {
    return [];
  }
  const within = FAULTS_LAST_MILLISECONDS;
  const starts = Array.from({ length: random.between(0, 2) }, () => ({
    at: random.between(MINUTE, within / 2),
    do: 'start' as const,
    version: random.pick(VERSIONS),
    strategy: rolling('Parallel', { by: 'groups' }, 0),
    policy: drawPolicy(random),
  }));
  const returns = Array.from({ length: random.between(2, 8) }, () => ({
    at: random.between(30_000, within),
    do: 'order' as const,
    action: 'rollback' as const,
    nth: random.pick([0, 0, 0, 1, 1, 2]),
    sees: 'nothing' as const,
    full: false,
    releaseHold: random.chance(0.8),
    ...(random.chance(0.3) && { only: random.between(0, 5) }),
    ...(random.chance(0.5) && { toVersion: random.pick([...VERSIONS, VERSION_BEFORE]) }),
    twice: random.chance(0.3),
    who: random.between(0, 2),
  }));
  return [...starts, ...returns];
}

/** In some worlds the service is taken off clusters, and sometimes brought back there by a rollback. */
function drawRemovals(random: Random): Move[] {
  const count = random.chance(0.15) ? random.between(1, 4) : 0;
  return Array.from({ length: count }, () =>
    random.between(1_000, FAULTS_LAST_MILLISECONDS),
  ).flatMap((at): Move[] => [
    { at, do: 'remove', on: random.between(0, 59), last: random.chance(0.3) },
    ...(random.chance(0.4) ? [plainRollback(at + random.between(1_000, 3 * MINUTE))] : []),
  ]);
}

/** Of the newest release, whatever it is. */
function plainRollback(at: number): Move {
  return {
    at,
    do: 'order',
    action: 'rollback',
    nth: 0,
    sees: 'nothing',
    full: false,
    releaseHold: true,
    twice: false,
    who: 1,
  };
}

/** In half of the worlds approvals are asked of lists of users and groups. */
function askLists(random: Random, moves: Move[]): Move[] {
  const asks = random.chance(0.5);
  return moves.map(move => {
    if (move.do !== 'start' || move.strategy.type !== 'Canary' || !asks) {
      return move;
    }
    const steps = move.strategy.steps.map(step =>
      step.approval ? { ...step, approval: askedOf(random, step.approval) } : step,
    );
    return { ...move, strategy: { ...move.strategy, steps } };
  });
}

/** In some worlds all kinds of people answer, asked or not. */
function drawAnswers(random: Random): Move[] {
  const count = random.chance(0.3) ? random.between(4, 16) : 0;
  return Array.from({ length: count }, () => ({
    at: random.between(1_000, FAULTS_LAST_MILLISECONDS),
    do: 'order' as const,
    action: random.pick(['approve', 'approve', 'approve', 'reject', 'skip-gate'] as const),
    nth: random.pick([0, 0, 1]),
    sees: 'now' as const,
    full: false,
    releaseHold: false,
    twice: random.chance(0.2),
    who: random.between(0, 4),
  }));
}

/** In some worlds clusters come and go, for a while or for good, also while releases wait for their turn. */
function withMembers(random: Random, script: Script): Script {
  if (!random.chance(0.3)) {
    return script;
  }
  const late = Array.from({ length: random.between(0, 2) }, (_, index) => ({
    name: `l${index + 1}`,
    before: 'nothing' as const,
    crashes: random.chance(0.2) ? ['2.0.0'] : [],
    late: true,
  }));
  const clusters = [...script.clusters, ...late];
  const joins = late.map((_, index) => ({
    ...memberMove(random),
    change: 'join' as const,
    on: script.clusters.length + index,
  }));
  const others = Array.from({ length: random.between(0, 4) }, () => memberMove(random));
  const moves = script.moves.map(move =>
    move.do === 'start' && random.chance(0.6)
      ? { ...move, policy: { ...move.policy, joining: 'CatchUp' as const } }
      : move,
  );
  return { ...script, clusters, moves: [...moves, ...joins, ...others] };
}

function memberMove(random: Random): Extract<Move, { do: 'member' }> {
  return {
    at: random.between(1_000, FAULTS_LAST_MILLISECONDS),
    do: 'member',
    change: random.pick(['leave', 'leave', 'leave', 'leaveForGood', 'join', 'listFails']),
    on: random.between(0, 59),
    lasts: random.between(20_000, 10 * MINUTE),
  };
}

/** In some worlds the entity of the service goes, or gets another name, and sometimes it is back later. */
function drawOrphans(random: Random): Move[] {
  const at = random.between(1_000, FAULTS_LAST_MILLISECONDS / 2);
  const gone: Move = { at, do: 'entity', change: 'gone' };
  const back: Move = { at: at + random.between(MINUTE, 8 * MINUTE), do: 'entity', change: 'back' };
  if (!random.chance(0.12)) {
    return [];
  }
  return random.chance(0.4) ? [gone, back] : [gone];
}

function drawControls(random: Random, count: number): Move[] {
  return Array.from({ length: count }, () => ({
    at: random.between(1_000, FAULTS_LAST_MILLISECONDS - MINUTE),
    do: 'control' as const,
    control: random.pick(CONTROLS),
    on: random.between(0, 59),
    lasts: random.between(5_000, 8 * MINUTE),
    value: random.next(),
  }));
}

/** One line a move, as it is printed where a seed fails. */
export function describeScript({ seed, clusters, replicas, moves }: Script): string {
  const drafts = clusters.map(
    ({ name, before, crashes, late, sours = [] }) =>
      `${name} ${late ? 'late' : before}${
        crashes.length > 0 ? `, crashes ${crashes.join(' ')}` : ''
      }${sours.length > 0 ? `, reads badly ${JSON.stringify(sours)}` : ''}`,
  );
  return [
    `seed ${seed}: ${replicas} replica(s); ${drafts.join('; ')}`,
    ...moves.map(({ at, ...move }) => `  ${(at / 1000).toFixed(1)} s  ${JSON.stringify(move)}`),
  ].join('\n');
}
