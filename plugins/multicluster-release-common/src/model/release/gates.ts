import { z } from 'zod';
import { durationSchema, positiveDurationSchema } from '../primitives/duration';
import { entityRefSchema } from '../primitives/entityRef';
import { textSchema } from '../primitives/names';
import {
  exactlyOne,
  textsOf,
  withRules,
  type Report,
  type Unchecked,
} from '../primitives/withRules';
import { celCheckSchema, jobSchema, webSchema } from '../template/metrics';

export const metricGateSchema = z.strictObject({
  name: textSchema.describe('Name of a measurement.'),
  threshold: z.number().optional().describe('Upper limit; lower where the measurement has a min.'),
  interval: positiveDurationSchema.optional().describe('Time between two readings.'),
  failureLimit: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('Bad readings that are still good enough.'),
  consecutiveErrorLimit: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('Failed readings in a row that are still good enough.'),
  minSamples: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('Requests in the window that a reading needs.'),
});

export type MetricGate = z.infer<typeof metricGateSchema>;

export const approvalSchema = withRules(
  z.strictObject({
    required: z.number().int().min(1).max(100).optional().describe('How many people.'),
    from: z
      .array(entityRefSchema)
      .optional()
      .describe('Users and groups who may approve; whoever may promote where it is left out.'),
    selfApproval: z.boolean().optional().describe('Whether the starter may approve too.'),
    expires: positiveDurationSchema.optional().describe('How long the question stands.'),
    when: z
      .enum(['before', 'after'])
      .optional()
      .describe('Before the stage, or after its targets.'),
  }),
  approversArePeople,
);

/** Whom nobody can be, or too few to ever agree, would hold the release for ever. */
function approversArePeople({ from, required }: Unchecked, report: Report): void {
  const refs = textsOf(from).map(({ text, index }) => ({ text: text.toLowerCase(), index }));
  for (const { text, index } of refs) {
    if (!text.startsWith('user:') && !text.startsWith('group:')) {
      report(['from', index], `must be a user or a group, and is ${text}`);
    }
  }
  const people = new Set(refs.map(({ text }) => text));
  const onlyUsers = refs.length > 0 && refs.every(({ text }) => text.startsWith('user:'));
  if (onlyUsers && typeof required === 'number' && people.size < required) {
    report(
      ['required'],
      `is ${required}, and from names only ${people.size}: name more people, or a group`,
    );
  }
}

export const checkSchema = withRules(
  z.strictObject({
    name: textSchema.optional().describe('Name, for people.'),
    job: jobSchema.optional().describe('A Job that ends well or not.'),
    web: webSchema.optional().describe('JSON over HTTP.'),
    cel: celCheckSchema.optional().describe('An expression over an object.'),
  }),
  exactlyOne(['job', 'web', 'cel'], 'a check'),
);

export const verifySchema = z.strictObject({
  for: durationSchema.optional().describe('How long it is watched.'),
  metrics: z.array(metricGateSchema).optional().describe('Measurements.'),
  jobs: z.array(jobSchema).optional().describe('Jobs.'),
});
