import { z } from 'zod';
import { labelsSchema } from '../primitives/labels';
import { clusterNameSchema, textSchema } from '../primitives/names';
import { freeMapSchema, objectTargetSchema } from '../primitives/objects';
import { versionRangeSchema } from '../primitives/versions';
import { withRules } from '../primitives/withRules';
import { trafficSchema } from './traffic';

const matchSchema = z.strictObject({
  clusters: z.array(clusterNameSchema).optional().describe('Only these clusters.'),
  labels: labelsSchema.optional().describe('Only clusters with these labels.'),
  region: textSchema.optional().describe('Only clusters of this region.'),
  kubernetesVersion: versionRangeSchema
    .optional()
    .describe('Only clusters of these Kubernetes versions.'),
});

const operationSchema = withRules(
  z.strictObject({
    op: z.enum(['add', 'remove', 'replace', 'move', 'copy', 'test']).describe('What is done.'),
    path: z
      .string()
      .refine(isPointer, 'must be a JSON pointer such as /spec/replicas')
      .describe('JSON pointer of the field.'),
    from: z
      .string()
      .refine(isPointer, 'must be a JSON pointer such as /spec/replicas')
      .optional()
      .describe('For move and copy: from where.'),
    value: z.unknown().optional().describe('For add, replace and test: the value.'),
  }),
  (operation, report) => {
    const { op } = operation;
    if ((op === 'add' || op === 'replace' || op === 'test') && !('value' in operation)) {
      report(['value'], `is missing: ${op} needs a value`);
    }
    if ((op === 'move' || op === 'copy') && operation.from === undefined) {
      report(['from'], `is missing: ${op} needs a pointer to take from`);
    }
  },
);

function isPointer(text: string): boolean {
  return text === '' || text.startsWith('/');
}

const patchSchema = z.strictObject({
  target: objectTargetSchema.describe('The objects that are changed.'),
  patch: z
    .union([z.array(operationSchema), freeMapSchema], {
      error: 'must be a map (strategic merge) or a list of JSON 6902 operations',
    })
    .describe('A strategic merge, or a list of JSON 6902 operations.'),
});

export const overrideSchema = z.strictObject({
  match: matchSchema.describe('Which clusters; all of its conditions must hold.'),
  patches: z.array(patchSchema).optional().describe('Changes to the objects.'),
  values: freeMapSchema.optional().describe('Helm values.'),
  traffic: trafficSchema.optional().describe('Another router on these clusters.'),
});

export type Override = z.infer<typeof overrideSchema>;
