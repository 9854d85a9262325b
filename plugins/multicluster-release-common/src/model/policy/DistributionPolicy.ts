import { z } from 'zod';
import { GROUP_VERSION, metadataSchema } from '../metadata';
import { countSchema, positiveCountSchema } from '../primitives/count';
import { cronSchema } from '../primitives/cron';
import { durationSchema, positiveDurationSchema } from '../primitives/duration';
import { labelKeySchema } from '../primitives/labels';
import { timeZoneSchema } from '../primitives/timeZone';
import { withRules } from '../primitives/withRules';

const orderBySchema = withRules(
  z.strictObject({
    by: z.enum(['groups', 'priority', 'all']).describe('What the order goes by.'),
    label: labelKeySchema
      .optional()
      .describe('For priority: the label with a number, lower first.'),
  }),
  ({ by, label }, report) => {
    if (by === 'priority' && label === undefined) {
      report(['label'], 'is missing: order by priority needs the label that carries the number');
    }
    if ((by === 'groups' || by === 'all') && label !== undefined) {
      report(['label'], 'goes only with by: priority');
    }
  },
);

const offlineSchema = z.strictObject({
  policy: z
    .enum(['Wait', 'Skip', 'Fail'])
    .optional()
    .describe('What an offline cluster does to its stage.'),
  after: durationSchema.optional().describe('Unreachable for so long is offline.'),
});

const windowSchema = z.strictObject({
  cron: cronSchema.describe('When it opens: minute, hour, day of month, month, day of week.'),
  duration: positiveDurationSchema.describe('How long it stays open.'),
  timeZone: timeZoneSchema
    .optional()
    .describe('IANA time zone, for example Asia/Shanghai; UTC where it is left out.'),
  kind: z.enum(['allow', 'deny']).describe('Whether releases may or may not start then.'),
});

/** Also used inline, in a ClusterRelease. */
export const policySpecSchema = z
  .strictObject({
    sync: z
      .enum(['Push', 'Pull', 'Watch', 'PullWatch'])
      .optional()
      .describe('How content reaches a cluster.'),
    order: z
      .union([z.enum(['groups', 'all']), orderBySchema], {
        error: 'must be groups, all, or {by: groups | priority | all}',
      })
      .optional()
      .describe('In which order clusters are taken.'),
    maxConcurrency: positiveCountSchema.optional().describe('Clusters in flight within a stage.'),
    maxUnavailable: countSchema
      .optional()
      .describe('Clusters that the release may make unavailable at once.'),
    timeout: positiveDurationSchema
      .optional()
      .describe('One cluster, from first write to healthy.'),
    retries: z
      .number()
      .int()
      .min(0)
      .max(100)
      .optional()
      .describe('How often a failed cluster is tried again.'),
    maxFailures: z
      .number()
      .int()
      .min(0)
      .max(100_000)
      .optional()
      .describe('So many failed clusters are put back alone.'),
    onFailure: z
      .enum(['RollbackTouched', 'RollbackStage', 'RollbackFailedOnly', 'Pause', 'Continue'])
      .optional()
      .describe('What happens above maxFailures.'),
    onNewer: z
      .enum(['Queue', 'Supersede'])
      .optional()
      .describe('When another version is asked for meanwhile.'),
    offline: offlineSchema.optional().describe('Clusters that cannot be reached.'),
    joining: z
      .enum(['NextRelease', 'CatchUp'])
      .optional()
      .describe('Clusters that join while a release runs.'),
    adapt: z.boolean().optional().describe('May lower maxSurge where there is no room.'),
    prune: z.boolean().optional().describe('Remove what the content no longer has.'),
    windows: z.array(windowSchema).optional().describe('When clusters may be started.'),
  })
  .describe('How a release goes over the clusters.');

export const distributionPolicySchema = z
  .strictObject({
    apiVersion: z.literal(GROUP_VERSION).describe('Version of this format.'),
    kind: z.literal('DistributionPolicy').describe('Kind of this document.'),
    metadata: metadataSchema,
    spec: policySpecSchema,
  })
  .describe('How: order, bounds, time-outs, and what a failure does.');

export type DistributionPolicy = z.infer<typeof distributionPolicySchema>;
export type DistributionPolicySpec = z.infer<typeof policySpecSchema>;
