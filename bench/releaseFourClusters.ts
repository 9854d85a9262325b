/*
 * One run, three ways to bring a new version to four clusters; see README.md.
 * Arguments: how many rounds (5).
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  realClusters,
  type RealClusters,
} from '../plugins/multicluster-release-backend/src/testing/realClusters';
import {
  releaseDocuments,
  releaseObjects,
} from '../plugins/multicluster-release-backend/src/testing/samples';
import {
  smallBackend,
  type SmallBackend,
} from '../plugins/multicluster-release-backend/src/testing/smallBackend';
import { BareLoop } from './bareLoop';
import { printTimes, timed, type Times } from './times';

const CLUSTERS = ['bench-a', 'bench-b', 'bench-c', 'bench-d'];

type Way = 'ours' | 'bare loop' | 'kubectl';

async function main(): Promise<void> {
  const rounds = Number(process.argv[2] ?? 5);
  const clusters = await realClusters(...CLUSTERS);
  const backend = await smallBackend({ database: ':memory:', kubeconfig: clusters.kubeconfig });
  const bare = new BareLoop(clusters.kubeconfig, CLUSTERS);
  try {
    await makeNamespaces(clusters);
    backend.engine.start();
    const times: Times<Way> = { ours: [], 'bare loop': [], kubectl: [] };
    for (let round = 0; round <= rounds; round++) {
      const version = `${round + 10}.0.0`;
      const measured = await oneRound({ clusters, backend, bare }, version);
      // The first rollout makes the objects and warms everything up: it is not counted.
      if (round > 0) {
        (Object.keys(times) as Way[]).forEach(way => times[way].push(measured[way]));
      }
    }
    printTimes(times, 'bare loop');
  } finally {
    bare.close();
    await backend.close();
    await clusters.remove();
  }
}

async function makeNamespaces(clusters: RealClusters): Promise<void> {
  await Promise.all(
    CLUSTERS.flatMap(cluster =>
      ['ours', 'bare', 'kubectl'].map(name =>
        clusters.kubectl(cluster, 'create', 'namespace', name),
      ),
    ),
  );
}

interface Contestants {
  clusters: RealClusters;
  backend: SmallBackend;
  bare: BareLoop;
}

async function oneRound(
  { clusters, backend, bare }: Contestants,
  version: string,
): Promise<Record<Way, number>> {
  const ours = await timed(async () => {
    const id = await backend.release(
      releaseDocuments({ version, clusters: CLUSTERS, namespace: 'ours' }),
    );
    const { state } = await backend.ended(id);
    if (state !== 'Succeeded') {
      throw new Error(`the release of ${version} is ${state}`);
    }
  });
  const loop = await timed(() => bare.release(releaseObjects(version), 'bare'));
  const kubectl = await timed(() => kubectlLoop(clusters, version));
  return { ours, 'bare loop': loop, kubectl };
}

async function kubectlLoop(clusters: RealClusters, version: string): Promise<void> {
  const manifest = releaseObjects(version)
    .map(object => JSON.stringify(object))
    .join('\n---\n');
  for (const cluster of CLUSTERS) {
    await pipeTo(clusters, cluster, manifest);
    await clusters.kubectl(cluster, '-n', 'kubectl', 'rollout', 'status', 'deployment/checkout');
  }
}

async function pipeTo(clusters: RealClusters, cluster: string, manifest: string): Promise<void> {
  const [program, args] = clusters.kubectlCommand(cluster, '-n', 'kubectl', 'apply', '-f', '-');
  const running = promisify(execFile)(program, args);
  running.child.stdin?.end(manifest);
  await running;
}

main().catch(error => {
  console.error(error);
  process.exitCode = 1;
});
