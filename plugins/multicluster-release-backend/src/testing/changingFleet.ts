import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A kubeconfig of its own, whose contexts are the fleet: so clusters leave it and join it while they run on. */
export interface ChangingFleet {
  kubeconfig: string;
  /** From the next listing on these are all of the fleet. */
  consistsOf(...names: string[]): Promise<void>;
  remove(): Promise<void>;
}

/** @param kubeconfig - of realClusters, with a context for each cluster */
export async function changingFleet(
  kubeconfig: string,
  ...names: string[]
): Promise<ChangingFleet> {
  const all: { contexts: { name: string }[] } = JSON.parse(await readFile(kubeconfig, 'utf8'));
  const folder = await mkdtemp(join(tmpdir(), 'multicluster-release-fleet-'));
  const path = join(folder, 'kubeconfig');
  const consistsOf = async (...listed: string[]) => {
    const contexts = all.contexts.filter(({ name }) => listed.includes(name));
    await writeFile(path, JSON.stringify({ ...all, contexts }));
  };
  await consistsOf(...names);
  return {
    kubeconfig: path,
    consistsOf,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
