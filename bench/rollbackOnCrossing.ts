/*
 * From the reading that crosses its limit to the first write of the way back, on
 * four clusters; see README.md. Arguments: how many rounds (5).
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  realClusters,
  type RealClusters,
} from '../plugins/multicluster-release-backend/src/testing/realClusters';
import {
  canary,
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

/** Says how many requests fail, and when it has said too many for the first time. */
class ErrorRate {
  private value = 0;
  private told = () => {};
  private readonly server: Server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(String(this.value), () => this.value > 1 && this.told());
  });

  async listen(): Promise<string> {
    await new Promise<void>(done => this.server.listen(0, '127.0.0.1', done));
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  isFine(): void {
    this.value = 0;
  }

  /** Resolves when somebody has read it. */
  crosses(): Promise<void> {
    return new Promise(resolve => {
      this.told = resolve;
      this.value = 7;
    });
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

interface Contestants {
  clusters: RealClusters;
  backend: SmallBackend;
  bare: BareLoop;
  rate: ErrorRate;
  host: string;
}

async function main(): Promise<void> {
  const rounds = Number(process.argv[2] ?? 5);
  const rate = new ErrorRate();
  const host = await rate.listen();
  const clusters = await realClusters(...CLUSTERS);
  const { kubeconfig } = clusters;
  const metrics = { web: { allow: [host] } };
  const backend = await smallBackend({ database: ':memory:', kubeconfig, metrics });
  const bare = new BareLoop(kubeconfig, CLUSTERS);
  try {
    await Promise.all(
      CLUSTERS.flatMap(cluster =>
        ['ours', 'bare'].map(name => clusters.kubectl(cluster, 'create', 'namespace', name)),
      ),
    );
    backend.engine.start();
    const times: Times<Way> = { ours: [], 'bare loop': [], kubectl: [] };
    for (let round = 0; round < rounds; round++) {
      const contestants = { clusters, backend, bare, rate, host };
      times.ours.push(await ours(contestants, round));
      times['bare loop'].push(await byHand(contestants));
      times.kubectl.push(await byKubectl(contestants));
    }
    printTimes(times, 'bare loop');
  } finally {
    bare.close();
    rate.close();
    await backend.close();
    await clusters.remove();
  }
}

async function ours({ backend, bare, rate, host }: Contestants, round: number): Promise<number> {
  // From 10 on: 3.0.0 of the sample crashes.
  const old = `${round + 10}.0.0`;
  const bring = (version: string, more: object = {}) =>
    backend.release(releaseDocuments({ version, clusters: CLUSTERS, namespace: 'ours', ...more }));
  rate.isFine();
  endedAs(await backend.ended(await bring(old)), 'Succeeded');
  const metrics = [
    {
      ...{ name: 'error_rate', unit: '%', max: 1 },
      ...{ interval: '1s', window: '1s', initialDelay: '1s' },
      web: { url: `http://${host}/{{cluster}}` },
    },
  ];
  const id = await bring(`${round + 10}.1.0`, {
    ...canary({ clusters: CLUSTERS, pause: '1h', metrics: [{ name: 'error_rate' }] }),
    template: { metrics },
  });
  await backend.until(id, ({ stages }) => stages[0].gateAt !== undefined);
  await rate.crosses();
  const taken = await timed(() => bare.firstWith(old, 'ours'));
  endedAs(await backend.ended(id), 'RolledBack');
  return taken;
}

function endedAs({ state }: { state: string }, expected: string): void {
  if (state !== expected) {
    throw new Error(`a release is ${state}, not ${expected}`);
  }
}

/** One program that has the old objects at hand, and does nothing else. */
async function byHand({ bare }: Contestants): Promise<number> {
  await bare.release(releaseObjects('1.0.0'), 'bare');
  await bare.release(releaseObjects('2.0.0'), 'bare');
  const back = bare.release(releaseObjects('1.0.0'), 'bare');
  const taken = await timed(() => bare.firstWith('1.0.0', 'bare'));
  await back;
  return taken;
}

/** Somebody who sits ready at a terminal. */
async function byKubectl({ clusters, bare }: Contestants): Promise<number> {
  await bare.release(releaseObjects('2.0.0'), 'bare');
  const undo = () =>
    clusters.kubectl(CLUSTERS[0], '-n', 'bare', 'rollout', 'undo', 'deployment/checkout');
  const done = undo();
  const taken = await timed(() => bare.firstWith('1.0.0', 'bare'));
  await done;
  return taken;
}

main().catch(error => {
  console.error(error);
  process.exitCode = 1;
});
