import { z } from 'zod';
import { isRecord } from '../errors/path';
import { increaseSchema } from '../primitives/increase';
import { durationSchema, positiveDurationSchema } from '../primitives/duration';
import { textSchema } from '../primitives/names';
import { celSchema, freeMapSchema, objectTargetSchema } from '../primitives/objects';
import { hasVariable, querySchema } from '../primitives/queries';
import { exactlyOne, withRules, type Report, type Unchecked } from '../primitives/withRules';

export const webSchema = z.strictObject({
  url: querySchema.describe('Address that answers JSON.'),
  jsonPath: textSchema.optional().describe('Where the value stands in the answer.'),
});
export const jobSchema = z.strictObject({ manifest: freeMapSchema.describe('The Job.') });
export const celCheckSchema = z.strictObject({
  target: objectTargetSchema.describe('The object that is looked at.'),
  expression: celSchema.describe('CEL over self.'),
});

const prometheusSchema = z.strictObject({
  address: textSchema
    .optional()
    .describe('Address of the server; from the configuration where it is left out.'),
  query: querySchema.describe('Query that gives one value.'),
  countQuery: querySchema
    .optional()
    .describe('Query that gives the number of requests in the window.'),
});

const compareSchema = z.strictObject({
  with: z.enum(['stable', 'before', 'otherClusters']).describe('What the value is compared with.'),
  maxIncrease: increaseSchema.describe(
    'By how much it may be higher: 50%, or a number in the unit of the measurement.',
  ),
});

/** A comparison of a value with itself, or with what nobody kept, would always pass or never. */
function canBeCompared({ compare, prometheus, web }: Unchecked, report: Report): void {
  if (!isRecord(compare)) {
    return;
  }
  const [text] = [
    ...(isRecord(prometheus) ? [prometheus.query] : []),
    ...(isRecord(web) ? [web.url] : []),
  ];
  if (text === undefined) {
    report(['compare'], 'needs prometheus or web: nothing else gives a value of another version');
  }
  if (compare.with === 'before' && web) {
    report(['compare', 'with'], 'is before, and the web tells only what is now: use prometheus');
  }
  if (compare.with === 'stable' && typeof text === 'string' && !hasVariable(text, 'version')) {
    report(
      ['compare', 'with'],
      'is stable, and nothing in the query tells the versions apart: put {{version}} into it',
    );
  }
}

export const metricSchema = withRules(
  z.strictObject({
    name: textSchema.describe('Name that gates refer to.'),
    prometheus: prometheusSchema.optional().describe('Prometheus or what speaks like it.'),
    web: webSchema.optional().describe('JSON over HTTP.'),
    job: jobSchema.optional().describe('A Job that ends well or not.'),
    cel: celCheckSchema.optional().describe('An expression over an object.'),
    interval: positiveDurationSchema.optional().describe('Time between two readings.'),
    window: positiveDurationSchema.optional().describe('Time that a reading looks back.'),
    count: z.number().int().min(1).optional().describe('Number of readings.'),
    initialDelay: durationSchema.optional().describe('Time before the first reading.'),
    unit: z.string().optional().describe('Unit, for people.'),
    max: z.number().optional().describe('Upper limit.'),
    min: z.number().optional().describe('Lower limit.'),
    noData: z.enum(['hold', 'pass', 'fail']).optional().describe('What an empty answer means.'),
    compare: compareSchema.optional().describe('A limit relative to another value.'),
  }),
  exactlyOne(['prometheus', 'web', 'job', 'cel'], 'a provider'),
  canBeCompared,
).describe('A named measurement.');
export type Metric = z.infer<typeof metricSchema>;
