import type { Plan, PlanTarget, TargetKey } from 'backstage-plugin-multicluster-release-common';
import type { ReleaseRun } from '../../decide';
import { forwardPlan } from '../../decide/turn';
import type { SimulatedCluster } from '../SimulatedCluster';
import type { ReadingTaken } from '../SimulatedMeasurer';
import type { SimulatedFleet } from '../SimulatedFleet';
import type { Row, SimulatedDatabase } from '../SimulatedDatabase';

/** What the checkers know apart from the run: what people did, what the record promised, what the clusters are. */
export interface Facts {
  now(): number;
  freshMilliseconds: number;
  clusters: ReadonlyMap<string, SimulatedCluster>;
  database: SimulatedDatabase;
  fleet: SimulatedFleet;
  /** The service has its entity: without one only who keeps the fleet may give orders. */
  hasEntity(): boolean;
  /** Targets that the record had something of before the release that was made last. */
  hadRecord: ReadonlySet<string>;
  /** Hashes of plans that a person started or accepted. */
  approved: Set<string>;
  /** `<release>/<stage>` that a person promoted. */
  promoted: Set<string>;
  /** `<release>/<step>`: who agreed, and when. */
  votes: Map<string, { by: string; at: number }[]>;
  /** `<release>/<step>` of a stage, or `<release>/<step>/<target>` of a track, that a person let go, and when. */
  skipped: Map<string, number>;
  /** `<release>/<target>`: the content that a person wants there instead of what ran before. */
  wanted: Map<string, string>;
  /** By release: the cluster that it takes the service off, and whether it may be the last one. */
  removals: Map<string, { cluster: string; last: boolean }>;
  /** Releases of which a person has accepted what had changed while they waited. */
  accepted: Set<string>;
  /** By cluster: names of objects that were there before us, and are not ours to remove. */
  foreign: ReadonlyMap<string, string[]>;
  /** By when a replica must have noticed what was ordered at that time. */
  noticedAfter(holder: string, orderedAt: number): number;
  /** `<release>/<target>`: what the record said ran there when the release began. */
  before: Map<string, string | undefined>;
  /** Sequences that are no plan's own: who took them, for which plan. */
  taken: Map<number, { releaseId: string; plan: number }>;
  /** All answers to measurements, oldest first. */
  readings: ReadingTaken[];
  /** When somebody last wrote an old content to a cluster behind our back. */
  intrusions: Map<string, number>;
}

export type Target = ReleaseRun['targets'][number];

export function planned(run: ReleaseRun, key: TargetKey): PlanTarget | undefined {
  return forwardPlan(run).targets.find(target => target.key === key);
}

export function targetOf(run: ReleaseRun, key: TargetKey): Target | undefined {
  return run.targets.find(target => target.key === key);
}

/** The release that a sequence belongs to: that of a plan, or one that a cluster took at its first write. */
export function rowOf({ database, taken }: Facts, sequence: number): Row | undefined {
  const owner = taken.get(sequence)?.releaseId;
  return [...database.rows.values()].find(
    ({ run }) => run.id === owner || Object.values(run.sequences).includes(sequence),
  );
}

/** The plan that a sequence was written under. */
export function planOfSequence(
  { taken }: Facts,
  run: ReleaseRun,
  sequence: number,
): Plan | undefined {
  const taker = taken.get(sequence);
  return run.plans.find(
    ({ number }) => run.sequences[number] === sequence || taker?.plan === number,
  );
}

/** Remembers which numbers clusters take for themselves, also once they have gone on to others. */
export function noteSequences({ taken }: Facts, run: ReleaseRun): void {
  const inThePlan = new Set(Object.values(run.sequences));
  for (const { sequence, plan } of run.targets) {
    if (sequence !== undefined && !inThePlan.has(sequence)) {
      taken.set(sequence, { releaseId: run.id, plan });
    }
  }
}

/** What a target that follows a rollback plan must come back to. */
export function wayBackOf(
  { before, wanted }: Facts,
  run: ReleaseRun,
  key: TargetKey,
): string | undefined {
  return wanted.get(`${run.id}/${key}`) ?? before.get(`${run.id}/${key}`);
}

/** What the newest release of that version brought there; undefined: none did. */
export function broughtContent(
  { database }: Facts,
  key: TargetKey,
  version: string,
): string | undefined {
  return [...database.rows.values()]
    .filter(({ run }) => run.targetVersion === version)
    .flatMap(({ run }) => planned(run, key)?.to ?? [])
    .findLast(to => to.version === version)?.digest;
}

/** Targets that got their first write in this commit. */
export function newlyTouched(before: ReleaseRun, after: ReleaseRun): Target[] {
  return after.targets.filter(target => target.touched && !targetOf(before, target.key)?.touched);
}
