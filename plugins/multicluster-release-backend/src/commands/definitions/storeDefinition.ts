import { putDefinition, type DefinitionOwner } from '../../store';
import type { Actor, CommandContext } from '../CommandContext';
import { readDocuments } from '../documents/readDocuments';
import { DocumentsRefusedError, RefusedError } from '../errors';

export interface DefinitionRequest {
  owner: DefinitionOwner;
  text: string;
  actor: Actor;
  /** The revision that the author saw, or `none`. */
  ifMatch?: string;
}

const SHARED_KIND = { policy: 'DistributionPolicy', placement: 'PlacementRule' } as const;

/**
 * Stores a new revision of documents and answers its name.
 *
 * @throws DocumentsRefusedError with every fault; RefusedError `DefinitionMoved`
 * where somebody stored one meanwhile
 */
export async function storeDefinition(
  { database, cipher, now }: CommandContext,
  request: DefinitionRequest,
): Promise<string> {
  const { owner, text, actor, ifMatch } = request;
  const documents = readDocuments(text);
  refuseOthers(owner, documents);
  const author = actor.onBehalfOf ?? actor.ref;
  const stored = await putDefinition(
    database,
    { owner, text, documents: documents.map(({ json }) => json), author, ifMatch, now: now() },
    cipher,
  );
  if (stored.result === 'moved') {
    throw new RefusedError({
      code: 'DefinitionMoved',
      message: `The documents of ${owner.name} were changed meanwhile. Read revision ${
        stored.revision ?? 'none'
      } and change that.`,
      params: { revision: stored.revision ?? 'none' },
    });
  }
  return stored.revision;
}

/** A shared policy or placement is one document of its kind and name. */
function refuseOthers(owner: DefinitionOwner, documents: { kind: string; name: string }[]): void {
  if (owner.scope === 'service') {
    return;
  }
  const kind = SHARED_KIND[owner.scope];
  const fits =
    documents.length === 1 && documents[0].kind === kind && documents[0].name === owner.name;
  if (!fits) {
    const found =
      documents.map(document => `${document.kind}/${document.name}`).join(', ') || 'nothing';
    throw new DocumentsRefusedError('WrongDocument', [
      {
        code: 'WrongDocument',
        message: `Send exactly one ${kind} named ${owner.name}; there is ${found}.`,
      },
    ]);
  }
}
