import {
  realClusters,
  type RealClusters,
} from '../plugins/multicluster-release-backend/src/testing/realClusters';
import {
  smallBackend,
  type SmallBackend,
  type SmallBackendOptions,
} from '../plugins/multicluster-release-backend/src/testing/smallBackend';
import { BareLoop } from './bareLoop';

export const CLUSTERS = ['bench-a', 'bench-b', 'bench-c', 'bench-d'];

export type Way = 'ours' | 'bare loop' | 'kubectl';

export interface Contestants {
  clusters: RealClusters;
  backend: SmallBackend;
  bare: BareLoop;
}

/** Four real clusters with these namespaces, and those who compete on them, until the work is done. */
export async function onFourClusters(
  { namespaces, metrics }: { namespaces: string[] } & Pick<SmallBackendOptions, 'metrics'>,
  work: (contestants: Contestants) => Promise<void>,
): Promise<void> {
  const clusters = await realClusters(...CLUSTERS);
  const { kubeconfig } = clusters;
  const backend = await smallBackend({ database: ':memory:', kubeconfig, metrics });
  const bare = new BareLoop(kubeconfig, CLUSTERS);
  try {
    await Promise.all(
      CLUSTERS.flatMap(cluster =>
        namespaces.map(name => clusters.kubectl(cluster, 'create', 'namespace', name)),
      ),
    );
    backend.engine.start();
    await work({ clusters, backend, bare });
  } finally {
    bare.close();
    await backend.close();
    await clusters.remove();
  }
}

/** Throws where a release has ended otherwise: its time would say nothing. */
export async function endsAs(
  { backend }: Contestants,
  releaseId: string,
  expected: string,
): Promise<void> {
  const { state } = await backend.ended(releaseId);
  if (state !== expected) {
    throw new Error(`release ${releaseId} is ${state}, not ${expected}`);
  }
}

/** How many rounds: the first argument, else five. */
export function roundsAsked(): number {
  return Number(process.argv[2] ?? 5);
}

export function run(benchmark: () => Promise<void>): void {
  benchmark().catch(error => {
    console.error(error);
    process.exitCode = 1;
  });
}
