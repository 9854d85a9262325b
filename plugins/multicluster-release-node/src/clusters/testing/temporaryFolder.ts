import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryFolder {
  path: string;
  /** Writes a file into it and answers its path. */
  write(name: string, content: string): Promise<string>;
  remove(): Promise<void>;
}

/** A folder of one test. */
export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), 'multicluster-release-clusters-'));
  return {
    path,
    write: async (name, content) => {
      const file = join(path, name);
      await writeFile(file, content, { mode: 0o700 });
      return file;
    },
    remove: () => rm(path, { recursive: true, force: true }),
  };
}
