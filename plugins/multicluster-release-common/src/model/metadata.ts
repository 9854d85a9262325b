import { z } from 'zod';
import { dnsSubdomainSchema } from './primitives/names';
import { labelMapSchema } from './primitives/labels';

export const GROUP_VERSION = 'multicluster-release.io/v1';
/** The founding document's group, for ClusterRelease only. */
export const FOUNDING_GROUP_VERSION = 'operator.example.io/v1';

export const metadataSchema = z
  .strictObject({
    name: dnsSubdomainSchema.describe('Name of the document.'),
    labels: labelMapSchema.optional().describe('Labels of the document itself.'),
    annotations: z
      .record(z.string(), z.string())
      .optional()
      .describe('Annotations of the document itself.'),
  })
  .describe('Who the document is.');
