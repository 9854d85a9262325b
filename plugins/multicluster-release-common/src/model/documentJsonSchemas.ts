import { z } from 'zod';
import { DOCUMENT_SCHEMAS, type DocumentKind } from './documents';

/**
 * JSON Schemas (draft 7, which editors know best) by kind, made from the schemas
 * that documents are checked with. What they refuse is refused; rules between
 * fields are checked only when a document is sent.
 */
export function documentJsonSchemas(): Record<DocumentKind, object> {
  return {
    ResourceTemplate: schemaOf('ResourceTemplate'),
    PlacementRule: schemaOf('PlacementRule'),
    DistributionPolicy: schemaOf('DistributionPolicy'),
    ClusterRelease: schemaOf('ClusterRelease'),
  };
}

function schemaOf(kind: DocumentKind): object {
  return { title: kind, ...z.toJSONSchema(DOCUMENT_SCHEMAS[kind], { target: 'draft-7' }) };
}
