import { notBuiltYet } from 'backstage-plugin-multicluster-release-common';
import type { Fault } from '../errors';
import type { ReadDocument } from './readDocuments';

/** Every field that these documents use and this version cannot execute. */
export function findUnbuilt(documents: ReadDocument[]): Fault[] {
  return notBuiltYet(documents.map(({ located }) => located)).map(
    ({ document, path, message }) => ({
      code: 'NotBuiltYet',
      document,
      path,
      message,
    }),
  );
}
