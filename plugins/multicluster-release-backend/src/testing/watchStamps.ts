import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { RealClusters } from './realClusters';

export interface StampWatch {
  /** Every stamp that the object has borne since the watch began, in order, without repeats. */
  seen(): string[];
  stop(): Promise<void>;
}

const STAMP = '{.metadata.annotations.multicluster-release\\.io/stamp}';

/** kubectl watches who writes a service's Deployment: `2.1` is sequence 2 under ticket 1. */
export async function watchStamps(
  clusters: RealClusters,
  cluster: string,
  namespace: string,
): Promise<StampWatch> {
  const [program, args] = clusters.kubectlCommand(
    cluster,
    ...['-n', namespace, 'get', 'deployment', 'checkout', '--watch'],
    ...['-o', `jsonpath=${STAMP}{"\\n"}`],
  );
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const stamps: string[] = [];
  const lines = createInterface(child.stdout).on('line', line => {
    const stamp = line.split('/').at(-1) ?? '';
    if (stamp !== stamps.at(-1)) {
      stamps.push(stamp);
    }
  });
  await once(lines, 'line');
  return {
    seen: () => [...stamps],
    stop: async () => {
      const ended = once(child, 'close');
      child.kill();
      await ended;
    },
  };
}
