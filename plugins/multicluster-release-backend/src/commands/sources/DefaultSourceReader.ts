import { extname } from 'node:path';
import type { UrlReaderService } from '@backstage/backend-plugin-api';
import { isError } from '@backstage/errors';
import {
  MANIFEST_EXTENSIONS,
  MAX_BYTES,
  MAX_FILES,
  readFileSource,
  readFileText,
} from './FileSource';
import { SourceUnreadableError } from './SourceUnreadableError';
import type { SourceFiles, SourceLocation, SourceReader, SourceText } from './types';

/** Reads URLs with Backstage's reader, and the files that resolveLocation lets through. */
export class DefaultSourceReader implements SourceReader {
  constructor(private readonly urlReader: UrlReaderService) {}

  async readText({ type, target }: SourceLocation): Promise<SourceText> {
    return type === 'file' ? readFileText(target) : this.readUrl(target);
  }

  async readFiles(location: SourceLocation): Promise<SourceFiles> {
    const { type, target } = location;
    if (type === 'file') {
      return readFileSource(target);
    }
    if (MANIFEST_EXTENSIONS.includes(extname(new URL(target).pathname))) {
      const { text, revision } = await this.readUrl(target);
      return { files: [{ path: target, text }], revision };
    }
    return this.readTree(target);
  }

  private async readUrl(target: string): Promise<SourceText> {
    try {
      const response = await this.urlReader.readUrl(target);
      return { text: (await response.buffer()).toString('utf8'), revision: response.etag };
    } catch (error) {
      throw unreadable(target, error);
    }
  }

  private async readTree(target: string): Promise<SourceFiles> {
    try {
      const tree = await this.urlReader.readTree(target, {
        filter: (path, info) =>
          MANIFEST_EXTENSIONS.includes(extname(path)) && (info?.size ?? 0) <= MAX_BYTES,
      });
      const found = await tree.files();
      if (found.length > MAX_FILES) {
        throw new SourceUnreadableError(
          target,
          `holds ${found.length} manifests; at most ${MAX_FILES} are read. Point to a smaller folder.`,
        );
      }
      const files = await Promise.all(
        found.map(async file => ({
          path: file.path,
          text: (await file.content()).toString('utf8'),
        })),
      );
      files.sort((a, b) => (a.path < b.path ? -1 : 1));
      return { files, revision: tree.etag };
    } catch (error) {
      throw unreadable(target, error);
    }
  }
}

function unreadable(target: string, error: unknown): Error {
  if (error instanceof SourceUnreadableError) {
    return error;
  }
  const name = isError(error) ? error.name : 'unknown reason';
  // The reader's own message may quote headers or the answer of another host.
  const why =
    name === 'NotFoundError'
      ? 'is not there. Correct the location or its revision.'
      : `could not be read (${name}). Check the integration for this host.`;
  return new SourceUnreadableError(target, why);
}
