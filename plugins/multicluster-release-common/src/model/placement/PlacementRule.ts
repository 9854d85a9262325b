import { z } from 'zod';
import { GROUP_VERSION, metadataSchema } from '../metadata';
import { distinctNames } from '../primitives/distinctNames';
import { labelsSchema } from '../primitives/labels';
import {
  clusterNameSchema,
  dnsLabelSchema,
  namespaceSchema,
  textSchema,
} from '../primitives/names';
import { versionRangeSchema } from '../primitives/versions';
import { withRules } from '../primitives/withRules';

export const selectSchema = z.strictObject({
  labels: labelsSchema.optional().describe('Labels of the clusters.'),
  regions: z.array(textSchema).optional().describe('Regions; any of them.'),
  kubernetesVersion: versionRangeSchema.optional().describe('Range of Kubernetes versions.'),
  clusters: z.array(clusterNameSchema).optional().describe('Names; only these.'),
  exclude: z.array(clusterNameSchema).optional().describe('Names that are left out.'),
});

const groupSchema = z.strictObject({
  name: dnsLabelSchema.describe('Name that steps refer to.'),
  match: selectSchema.describe('Which of the selected clusters; {} takes the rest.'),
});

export const placementRuleSchema = z
  .strictObject({
    apiVersion: z.literal(GROUP_VERSION).describe('Version of this format.'),
    kind: z.literal('PlacementRule').describe('Kind of this document.'),
    metadata: metadataSchema,
    spec: withRules(
      z.strictObject({
        select: selectSchema.describe(
          'Which clusters; all conditions must hold, {} is all clusters.',
        ),
        namespace: namespaceSchema,
        groups: z
          .array(groupSchema)
          .optional()
          .describe('Groups in the order of release; the first match wins.'),
        ungrouped: z
          .enum(['refuse', 'ignore'])
          .optional()
          .describe('A selected cluster in no group refuses the release, or is left out.'),
      }),
      distinctNames('groups'),
    ).describe('Where it is released to.'),
  })
  .describe('Where: the clusters, their groups and the namespace.');

export type PlacementRule = z.infer<typeof placementRuleSchema>;
export type Select = z.infer<typeof selectSchema>;
