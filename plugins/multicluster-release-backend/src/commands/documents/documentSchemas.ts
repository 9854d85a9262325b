import { documentJsonSchemas } from 'backstage-plugin-multicluster-release-common';

/** JSON Schemas of all documents, by kind. */
export function documentSchemas(): Record<string, object> {
  return { ...documentJsonSchemas() };
}
