import { z } from 'zod';
import { valueAt } from '../errors/path';
import { distinctNames } from '../primitives/distinctNames';
import { durationSchema } from '../primitives/duration';
import { parseShare, shareSchema } from '../primitives/count';
import { clusterNameSchema, dnsLabelSchema } from '../primitives/names';
import { recordsOf, withRules, type Report, type Unchecked } from '../primitives/withRules';
import { approvalSchema, metricGateSchema } from './gates';
import { jobGateSchema } from './jobGate';

const weightSchema = z.number().int().min(1).max(100);

/** A duration; without one (`{}`, or nothing behind the colon) until a person promotes. */
const pauseSchema = z.union(
  [
    durationSchema,
    z.strictObject({
      duration: durationSchema
        .optional()
        .describe('How long; until a person promotes where it is left out.'),
    }),
    z.null(),
  ],
  { error: 'must be a duration such as 10m, or {} to wait until a person promotes' },
);

const CHOICES = ['group', 'clusters', 'share'];

const stepSchema = withRules(
  z.strictObject({
    group: dnsLabelSchema.optional().describe('A group of the placement.'),
    clusters: z.array(clusterNameSchema).min(1).optional().describe('Clusters by name.'),
    share: shareSchema
      .optional()
      .describe('This share of all clusters, counting those of earlier steps.'),
    weight: weightSchema
      .optional()
      .describe('Per cent of the traffic of each cluster; all where it is left out.'),
    pause: pauseSchema.optional().describe('Cool-down; {} waits until a person promotes.'),
    stabilize: durationSchema.optional().describe('Cool-down of each cluster.'),
    metrics: z.array(metricGateSchema).optional().describe('Measurements that must be good.'),
    jobs: z
      .array(jobGateSchema)
      .optional()
      .describe('Jobs that run on each cluster of the step and must end well.'),
    approval: approvalSchema.optional().describe('People who must agree.'),
    approximate: z
      .boolean()
      .optional()
      .describe('Accept the nearest weight that pod counts can give.'),
  }),
  (step, report) => {
    const given = CHOICES.filter(choice => step[choice] !== undefined);
    if (given.length > 1) {
      report(
        [],
        `takes at most one of ${CHOICES.join(', ')}, and has ${given.join(
          ' and ',
        )}: make it several steps`,
      );
    }
    distinctJobs(step, report);
  },
);

const canaryClusterSchema = z.strictObject({
  name: clusterNameSchema,
  weight: weightSchema.optional().describe('Per cent of its traffic; all where it is left out.'),
});

export const canarySchema = withRules(
  z.strictObject({
    clusters: z
      .array(canaryClusterSchema)
      .min(1)
      .optional()
      .describe('Step i is for cluster i of this list.'),
    steps: z
      .array(stepSchema)
      .min(1)
      .describe('Steps in order; what is left is promoted after the last.'),
  }),
  distinctNames('clusters'),
  stepsChooseOneWay,
  sharesDoNotFall,
).describe('Some clusters first, each step watched before the next.');

export type CanaryStep = z.infer<typeof stepSchema>;
export type Canary = z.infer<typeof canarySchema>;

/** `canary.clusters` says whose each step is; a step then cannot say so too. Otherwise the first must. */
function stepsChooseOneWay(canary: Unchecked, report: Report): void {
  const weights = recordsOf(canary.clusters).map(({ record }) => record.weight);
  for (const { record: step, index } of recordsOf(canary.steps)) {
    const chosen = CHOICES.find(choice => step[choice] !== undefined);
    if (canary.clusters !== undefined && chosen) {
      report(
        ['steps', index, chosen],
        `cannot stand beside canary.clusters, where step ${index + 1} is for cluster ${
          index + 1
        }: take one of the two out`,
      );
    }
    if (step.weight !== undefined && weights[index] !== undefined) {
      report(
        ['steps', index, 'weight'],
        `stands at cluster ${index + 1} of canary.clusters too: take one of the two out`,
      );
    }
    if (canary.clusters === undefined && index === 0 && !chosen && step.weight === undefined) {
      report(['steps', 0], `brings the new version nowhere: name one of ${CHOICES.join(', ')}`);
    }
  }
}

/** Two Jobs of one name would be one Job. */
function distinctJobs({ jobs }: Unchecked, report: Report): void {
  const seen = new Set<unknown>();
  for (const { record, index } of recordsOf(jobs)) {
    const name = valueAt(record, ['manifest', 'metadata', 'name']);
    if (name !== undefined && seen.has(name)) {
      report(
        ['jobs', index, 'manifest', 'metadata', 'name'],
        `${String(name)} is there twice: each Job of a step needs a name of its own`,
      );
    }
    seen.add(name);
  }
}

function sharesDoNotFall({ steps }: Unchecked, report: Report): void {
  let reached = 0;
  for (const { record, index } of recordsOf(steps)) {
    const share = typeof record.share === 'string' ? parseShare(record.share) ?? 0 : 0;
    if (share > 0 && share < reached) {
      report(
        ['steps', index, 'share'],
        `is ${share}% after ${reached}%: shares count all clusters so far and cannot fall`,
      );
    }
    reached = Math.max(reached, share);
  }
}
