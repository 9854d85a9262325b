import {
  toClusterSelector,
  type PlacementSpec,
} from 'backstage-plugin-multicluster-release-common';
import { DocumentsRefusedError } from '../errors';
import { readDocuments } from './readDocuments';

/** One PlacementRule. @throws DocumentsRefusedError */
export function readPlacement(text: string): PlacementSpec {
  const [first, ...others] = readDocuments(text);
  const document = first?.located.document;
  if (document?.kind !== 'PlacementRule' || others.length > 0) {
    throw new DocumentsRefusedError('WrongDocument', [
      { code: 'WrongDocument', message: 'Send exactly one PlacementRule.' },
    ]);
  }
  const { select, namespace, groups = [], ungrouped = 'refuse' } = document.spec;
  return {
    kind: 'rule',
    name: document.metadata.name,
    select: toClusterSelector(select),
    namespace,
    groups: groups.map(({ name, match }) => ({ name, match: toClusterSelector(match) })),
    ungrouped,
  };
}
