import { z } from 'zod';
import { GROUP_VERSION, metadataSchema } from '../metadata';
import { distinctNames } from '../primitives/distinctNames';
import { positiveDurationSchema } from '../primitives/duration';
import { entityRefSchema } from '../primitives/entityRef';
import { clusterNameSchema, textSchema } from '../primitives/names';
import { celSchema } from '../primitives/objects';
import {
  configVersionSchema,
  versionedTextSchema,
  versionRangeSchema,
} from '../primitives/versions';
import { withRules } from '../primitives/withRules';
import { metricSchema } from './metrics';
import { overrideSchema } from './overrides';
import { sourceSchema, versionsSchema } from './source';
import { globalTrafficSchema, trafficSchema } from './traffic';

const imageSchema = z.strictObject({
  name: textSchema.describe('Image without its tag.'),
  tag: versionedTextSchema.optional().describe('Its tag; ${version} where it is left out.'),
  lock: z.boolean().optional().describe('Resolve the tag to a digest once, for all clusters.'),
});

const healthSchema = z.strictObject({
  target: z
    .strictObject({
      apiVersion: textSchema.describe('Group and version of the kind.'),
      kind: textSchema.describe('Kind.'),
    })
    .describe('The kind that the rule is for.'),
  healthy: celSchema.describe('CEL over self that is true when it is healthy.'),
  failed: celSchema.optional().describe('CEL over self that is true when it has failed.'),
});

const ignoreDifferenceSchema = z.strictObject({
  group: z.string().optional().describe('API group.'),
  kind: textSchema.describe('Kind.'),
  namespace: z.string().optional().describe('Namespace.'),
  name: z.string().optional().describe('Name.'),
  pointers: z.array(textSchema).min(1).describe('JSON pointers of the fields.'),
});

const driftSchema = z.strictObject({
  mode: z.enum(['report', 'heal']).optional().describe('Only show, or put back.'),
  interval: positiveDurationSchema.optional().describe('Time between two comparisons.'),
  except: z.array(textSchema).optional().describe('Kinds that are left alone.'),
});

const dependencySchema = z.strictObject({
  service: entityRefSchema.describe('The service that must be there.'),
  version: versionRangeSchema.optional().describe('Which versions of it.'),
  on: z
    .union([z.enum(['same', 'all']), z.array(clusterNameSchema).min(1)], {
      error: 'must be same, all, or a list of clusters such as [config-hub]',
    })
    .optional()
    .describe('On the same cluster, on all, or on the named ones.'),
});

export const resourceTemplateSchema = z
  .strictObject({
    apiVersion: z.literal(GROUP_VERSION).describe('Version of this format.'),
    kind: z.literal('ResourceTemplate').describe('Kind of this document.'),
    metadata: metadataSchema,
    spec: withRules(
      z.strictObject({
        configVersion: configVersionSchema
          .optional()
          .describe('SemVer of the configuration; counted up on each change where it is left out.'),
        source: sourceSchema,
        versions: versionsSchema.optional(),
        images: z.array(imageSchema).optional().describe('How the version enters plain manifests.'),
        overrides: z
          .array(overrideSchema)
          .optional()
          .describe('What is different on some clusters; the later wins.'),
        health: z
          .array(healthSchema)
          .optional()
          .describe('Health of kinds beyond the built-in rules.'),
        traffic: trafficSchema.optional(),
        globalTraffic: globalTrafficSchema.optional(),
        metrics: z.array(metricSchema).optional().describe('Measurements that gates refer to.'),
        ignoreDifferences: z
          .array(ignoreDifferenceSchema)
          .optional()
          .describe('Fields that others own.'),
        drift: driftSchema
          .optional()
          .describe('What is done where a cluster differs from what was applied.'),
        replace: z
          .array(textSchema)
          .optional()
          .describe('Kinds that may be deleted and made again when a field cannot be changed.'),
        pruneAlso: z
          .array(z.enum(['Namespace', 'CustomResourceDefinition', 'PersistentVolumeClaim']))
          .optional()
          .describe('Kinds that are removed with the rest only where they stand here.'),
        dependsOn: z
          .array(dependencySchema)
          .optional()
          .describe('Services that must be there first.'),
      }),
      distinctNames('images'),
      distinctNames('metrics'),
    ).describe('What is released.'),
  })
  .describe('What is released: content, versions, and what is different where.');

export type ResourceTemplate = z.infer<typeof resourceTemplateSchema>;
export type ResourceTemplateSpec = ResourceTemplate['spec'];
export type ImageRule = z.infer<typeof imageSchema>;
