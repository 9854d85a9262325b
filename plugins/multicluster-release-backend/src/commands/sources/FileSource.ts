import { createHash } from 'node:crypto';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, extname, join, relative } from 'node:path';
import { isAbove } from './resolveLocation';
import { SourceUnreadableError } from './SourceUnreadableError';
import type { SourceFile, SourceFiles, SourceText } from './types';

export const MANIFEST_EXTENSIONS = ['.yaml', '.yml', '.json'];
export const MAX_FILES = 500;
export const MAX_BYTES = 10 * 1024 * 1024;

/** Reads files of this machine; links that lead out of the folder are not followed. */
export async function readFileSource(path: string): Promise<SourceFiles> {
  const real = await realPath(path);
  const info = await stat(real);
  const folder = info.isDirectory() ? real : dirname(real);
  const paths = info.isDirectory() ? await listFolder(real) : [real];
  const files: SourceFile[] = [];
  let bytes = 0;
  for (const file of paths) {
    const text = await readFile(await insideOf(folder, file), 'utf8');
    bytes += Buffer.byteLength(text);
    if (bytes > MAX_BYTES) {
      throw new SourceUnreadableError(
        path,
        `holds more than ${MAX_BYTES / 1024 / 1024} MB of manifests. Point to a smaller folder.`,
      );
    }
    files.push({ path: relative(folder, file), text });
  }
  return { files, revision: undefined };
}

export async function readFileText(path: string): Promise<SourceText> {
  const text = await readFile(await insideOf(dirname(path), path), 'utf8').catch(error => {
    throw new SourceUnreadableError(path, reasonOf(error));
  });
  return { text, revision: createHash('sha256').update(text).digest('hex').slice(0, 12) };
}

async function listFolder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter(entry => entry.isFile() && MANIFEST_EXTENSIONS.includes(extname(entry.name)))
    .map(entry => join(entry.parentPath, entry.name))
    .sort();
  if (paths.length > MAX_FILES) {
    throw new SourceUnreadableError(
      folder,
      `holds ${paths.length} manifests; at most ${MAX_FILES} are read. Point to a smaller folder.`,
    );
  }
  return paths;
}

/** A link must not lead out of the folder that was allowed. */
async function insideOf(folder: string, path: string): Promise<string> {
  const [realFolder, real] = [await realPath(folder), await realPath(path)];
  if (isAbove(realFolder, real)) {
    throw new SourceUnreadableError(path, `leads out of ${folder}. Put the file itself there.`);
  }
  return real;
}

async function realPath(path: string): Promise<string> {
  return realpath(path).catch(error => {
    throw new SourceUnreadableError(path, reasonOf(error));
  });
}

function reasonOf(error: unknown): string {
  const code = (error as { code?: string }).code;
  return code === 'ENOENT'
    ? 'there is no such file. Correct the location.'
    : `cannot be read (${code ?? 'unknown reason'}).`;
}
