import type { z } from 'zod';
import { distributionPolicySchema, type DistributionPolicy } from './policy/DistributionPolicy';
import { placementRuleSchema, type PlacementRule } from './placement/PlacementRule';
import { clusterReleaseSchema, type ClusterRelease } from './release/ClusterRelease';
import { resourceTemplateSchema, type ResourceTemplate } from './template/ResourceTemplate';

export type ReleaseDocument =
  | ResourceTemplate
  | PlacementRule
  | DistributionPolicy
  | ClusterRelease;

export type DocumentKind = ReleaseDocument['kind'];

/** The one source: parsing, types and JSON Schemas come from here. */
export const DOCUMENT_SCHEMAS: {
  [K in DocumentKind]: z.ZodType<Extract<ReleaseDocument, { kind: K }>>;
} = {
  ResourceTemplate: resourceTemplateSchema,
  PlacementRule: placementRuleSchema,
  DistributionPolicy: distributionPolicySchema,
  ClusterRelease: clusterReleaseSchema,
};

export const DOCUMENT_KINDS = Object.keys(DOCUMENT_SCHEMAS).filter(isDocumentKind);

export function isDocumentKind(kind: string): kind is DocumentKind {
  return Object.hasOwn(DOCUMENT_SCHEMAS, kind);
}
