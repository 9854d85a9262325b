/*
 * One run, three ways to bring a new version to four clusters; see README.md.
 * Arguments: how many rounds (5).
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { RealClusters } from '../plugins/multicluster-release-backend/src/testing/realClusters';
import {
  releaseDocuments,
  releaseObjects,
} from '../plugins/multicluster-release-backend/src/testing/samples';
import {
  CLUSTERS,
  endsAs,
  onFourClusters,
  roundsAsked,
  run,
  type Contestants,
  type Way,
} from './fourClusters';
import { printTimes, timed, type Times } from './times';

const main = () =>
  onFourClusters({ namespaces: ['ours', 'bare', 'kubectl'] }, async contestants => {
    const times: Times<Way> = { ours: [], 'bare loop': [], kubectl: [] };
    for (let round = 0; round <= roundsAsked(); round++) {
      const measured = await oneRound(contestants, `${round + 10}.0.0`);
      // The first rollout makes the objects and warms everything up: it is not counted.
      if (round > 0) {
        (Object.keys(times) as Way[]).forEach(way => times[way].push(measured[way]));
      }
    }
    printTimes(times, 'bare loop');
  });

async function oneRound(contestants: Contestants, version: string): Promise<Record<Way, number>> {
  const { clusters, backend, bare } = contestants;
  const ours = await timed(async () => {
    const documents = releaseDocuments({ version, clusters: CLUSTERS, namespace: 'ours' });
    await endsAs(contestants, await backend.release(documents), 'Succeeded');
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

run(main);
