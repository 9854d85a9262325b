import { z } from 'zod';
import { FOUNDING_GROUP_VERSION, GROUP_VERSION, metadataSchema } from '../metadata';
import { policySpecSchema } from '../policy/DistributionPolicy';
import { entityRefSchema } from '../primitives/entityRef';
import { clusterNameSchema, dnsSubdomainSchema, namespaceSchema } from '../primitives/names';
import { targetVersionSchema } from '../primitives/versions';
import { exactlyOne, withRules } from '../primitives/withRules';
import { distinctTargets, namedClustersAreTargets, standbyIsNoTarget } from './clusterRules';
import { strategySchema } from './strategy';

const targetSchema = z.strictObject({ name: clusterNameSchema, namespace: namespaceSchema });

const releaseSpecSchema = withRules(
  z.strictObject({
    service: entityRefSchema.optional().describe('The service; not needed in its own repository.'),
    targetVersion: targetVersionSchema.describe('The version to release.'),
    template: dnsSubdomainSchema
      .optional()
      .describe('Name of the ResourceTemplate; the only one where it is left out.'),
    placement: dnsSubdomainSchema
      .optional()
      .describe('Name of the PlacementRule, instead of clusters.'),
    clusters: z
      .array(targetSchema)
      .min(1)
      .optional()
      .describe('The clusters, instead of placement.'),
    policy: z
      .union([dnsSubdomainSchema, policySpecSchema], {
        error: 'must be the name of a DistributionPolicy, or its fields',
      })
      .optional()
      .describe('Name of the DistributionPolicy, or its fields.'),
    strategy: strategySchema,
  }),
  exactlyOne(['placement', 'clusters'], 'a place to release to'),
  distinctTargets,
  namedClustersAreTargets,
  standbyIsNoTarget,
).describe('One run.');

export const clusterReleaseSchema = z
  .strictObject({
    apiVersion: z.enum([GROUP_VERSION, FOUNDING_GROUP_VERSION]).describe('Version of this format.'),
    kind: z.literal('ClusterRelease').describe('Kind of this document.'),
    metadata: metadataSchema,
    spec: releaseSpecSchema,
  })
  .describe('One run: a version, a strategy, and where it goes.');

export type ClusterRelease = z.infer<typeof clusterReleaseSchema>;
export type ClusterReleaseSpec = ClusterRelease['spec'];
