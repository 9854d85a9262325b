import { z } from 'zod';
import { countSchema, parseShare, shareSchema } from '../primitives/count';
import { durationSchema } from '../primitives/duration';
import { textsOf, withRules, type Report, type Unchecked } from '../primitives/withRules';

const batchesSchema = z.union([z.literal('groups'), countSchema, z.array(shareSchema).min(1)], {
  error: 'must be groups, a size such as 3 or 25%, or a list of shares such as [20%, 50%, 100%]',
});

export const rollingUpdateSchema = withRules(
  z.strictObject({
    mode: z
      .enum(['Parallel', 'Serial', 'Batched'])
      .describe('All at once, one by one, or in batches.'),
    batches: batchesSchema.optional().describe('For Batched: groups, a size, or growing shares.'),
    maxSurge: countSchema.optional().describe('Pods above the wanted number.'),
    maxUnavailable: countSchema.optional().describe('Pods below the wanted number.'),
    stabilize: durationSchema.optional().describe('Cool-down after each batch or cluster.'),
  }),
  batchesFitMode,
  batchesEndWithAll,
).describe('Over all clusters, at once, one by one or in batches.');

export type RollingUpdate = z.infer<typeof rollingUpdateSchema>;

function batchesFitMode({ mode, batches }: Unchecked, report: Report): void {
  if (mode === 'Batched' && batches === undefined) {
    report(
      ['batches'],
      'is missing: mode Batched needs groups, a size such as 25%, or a list of shares',
      'batches: groups',
    );
  }
  if ((mode === 'Parallel' || mode === 'Serial') && batches !== undefined) {
    report(['batches'], `goes only with mode: Batched, and the mode is ${mode}`);
  }
}

/** A list that stopped short would leave clusters on the old version in a release that calls itself done. */
function batchesEndWithAll({ batches }: Unchecked, report: Report): void {
  let reached = 0;
  for (const { text, index } of textsOf(batches)) {
    const share = parseShare(text) ?? reached;
    if (share < reached) {
      report(
        ['batches', index],
        `is ${share}% after ${reached}%: shares count all clusters so far and cannot fall`,
      );
    }
    reached = Math.max(reached, share);
  }
  if (textsOf(batches).length > 0 && reached < 100) {
    report(
      ['batches'],
      `ends at ${reached}%: the last share must be 100%, or clusters would be left behind`,
    );
  }
}
