import type { DefinitionOwner, DefinitionSummary } from '../types';

export interface DefinitionRow {
  scope: DefinitionOwner['scope'];
  name: string;
  number: number;
  revision: string;
  key_id: string | null;
  body: Buffer;
  location: string | null;
  commit: string | null;
  author: string;
  created_at: string | number;
}

export function definitionSummary(row: Omit<DefinitionRow, 'body' | 'key_id'>): DefinitionSummary {
  return {
    owner: { scope: row.scope, name: row.name },
    revision: row.revision,
    location: row.location ?? undefined,
    commit: row.commit ?? undefined,
    author: row.author,
    createdAt: Number(row.created_at),
  };
}
