import type { Plan } from 'backstage-plugin-multicluster-release-common';
import type { Knex } from 'knex';
import type { ReleaseRun } from '../../../decide/types';
import { chunkRows } from '../../dialect';
import { toJson } from '../../json';
import { insertContentReferences } from '../contents/insertContentReferences';

/** Writes new plans of a run; plans are never written again. */
export async function insertPlans(
  tx: Knex.Transaction,
  run: ReleaseRun,
  plans: Plan[],
  now: number,
): Promise<void> {
  const rows = plans.map(plan => ({
    release_id: run.id,
    number: plan.number,
    hash: plan.hash,
    kind: plan.kind,
    sequence: sequenceOf(run, plan),
    plan: toJson(plan),
    created_at: now,
  }));
  for (const chunk of chunkRows(rows)) {
    await tx('plans').insert(chunk);
  }
  await insertContentReferences(tx, run.id, plans.flatMap(digestsOf));
}

function sequenceOf(run: ReleaseRun, plan: Plan): number {
  const sequence = run.sequences[plan.number];
  if (sequence === undefined) {
    throw new Error(
      `Release ${run.id}: plan ${plan.number} has no sequence; give it one in the turn that makes it`,
    );
  }
  return sequence;
}

function digestsOf(plan: Plan): string[] {
  return plan.targets.flatMap(({ from, to }) =>
    [from, to].flatMap(ref => (ref ? [ref.digest] : [])),
  );
}
