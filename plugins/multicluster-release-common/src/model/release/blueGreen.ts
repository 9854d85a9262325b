import { z } from 'zod';
import { durationSchema } from '../primitives/duration';
import { clusterNameSchema, namespaceSchema } from '../primitives/names';
import { celSchema } from '../primitives/objects';
import { withRules } from '../primitives/withRules';
import { approvalSchema, checkSchema, verifySchema } from './gates';

const dataSchema = z.strictObject({
  crds: z
    .literal('compatible')
    .optional()
    .describe('Require compatible custom resource definitions.'),
  wait: celSchema.optional().describe('CEL over the green operator that ends the hand-over.'),
});

export const blueGreenSchema = withRules(
  z.strictObject({
    scope: z
      .enum(['Namespace', 'Cluster'])
      .describe('Green beside blue in one cluster, or on other clusters.'),
    namespaces: z
      .strictObject({
        blue: namespaceSchema.describe('Namespace of the running version.'),
        green: namespaceSchema.describe('Namespace of the new version.'),
      })
      .optional()
      .describe('For scope Namespace.'),
    blue: z
      .array(clusterNameSchema)
      .min(1)
      .optional()
      .describe('For scope Cluster: clusters of the running version.'),
    green: z
      .array(clusterNameSchema)
      .min(1)
      .optional()
      .describe('For scope Cluster: clusters of the new version.'),
    previewChecks: z.array(checkSchema).optional().describe('Checks before traffic is switched.'),
    verify: verifySchema.optional().describe('Checks after traffic is switched.'),
    keepBlue: durationSchema.optional().describe('How long blue is kept.'),
    approval: approvalSchema.optional().describe('People who must agree to the switch.'),
    data: dataSchema.optional().describe('Hand-over of an operator and its state.'),
  }),
  ({ scope, namespaces, blue, green }, report) => {
    if (scope === 'Namespace' && namespaces === undefined) {
      report(['namespaces'], 'is missing: scope Namespace needs the blue and the green namespace');
    }
    if (scope === 'Cluster' && (blue === undefined || green === undefined)) {
      report(
        [blue === undefined ? 'blue' : 'green'],
        'is missing: scope Cluster needs the blue and the green clusters',
      );
    }
  },
).describe('The new version beside the running one, then the traffic.');

export type BlueGreen = z.infer<typeof blueGreenSchema>;
