import {
  parseDocuments,
  type DocumentError,
  type DocumentKind,
  type LocatedDocument,
} from 'backstage-plugin-multicluster-release-common';
import { DocumentsRefusedError, type Fault } from '../errors';

export interface ReadDocument {
  kind: DocumentKind;
  name: string;
  json: unknown;
  located: LocatedDocument;
}

/**
 * Documents from YAML or JSON.
 *
 * @param name - the file or address, which faults then name
 * @throws DocumentsRefusedError with every fault of every document
 */
export function readDocuments(text: string, name?: string): ReadDocument[] {
  const { documents, errors } = parseDocuments(text, { name });
  if (errors.length > 0) {
    throw new DocumentsRefusedError('InvalidDocument', errors.map(faultOf));
  }
  return documents.map(located => {
    const { document } = located;
    return { kind: document.kind, name: document.metadata.name, json: document, located };
  });
}

export function faultOf({ document, path, message, line }: DocumentError): Fault {
  const place = line === undefined ? '' : ` (line ${line})`;
  return {
    code: 'InvalidDocument',
    document,
    path: path === '' ? undefined : path,
    message: `${message}${place}`,
  };
}

/** The service that a ClusterRelease names; undefined where none does. */
export function serviceNamedIn(documents: ReadDocument[]): string | undefined {
  for (const { located } of documents) {
    if (located.document.kind === 'ClusterRelease' && located.document.spec.service) {
      return located.document.spec.service;
    }
  }
  return undefined;
}
