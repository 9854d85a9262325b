/*
 * From the reading that crosses its limit to the first write of the way back, on
 * four clusters; see README.md. Arguments: how many rounds (5).
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  canary,
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

async function main(): Promise<void> {
  const rate = new ErrorRate();
  const host = await rate.listen();
  const metrics = { web: { allow: [host] } };
  try {
    await onFourClusters({ namespaces: ['ours', 'bare'], metrics }, async contestants => {
      const times: Times<Way> = { ours: [], 'bare loop': [], kubectl: [] };
      for (let round = 0; round < roundsAsked(); round++) {
        times.ours.push(await ours(contestants, { rate, host, round }));
        times['bare loop'].push(await byHand(contestants));
        times.kubectl.push(await byKubectl(contestants));
      }
      printTimes(times, 'bare loop');
    });
  } finally {
    rate.close();
  }
}

async function ours(
  contestants: Contestants,
  { rate, host, round }: { rate: ErrorRate; host: string; round: number },
): Promise<number> {
  const { backend, bare } = contestants;
  // From 10 on: 3.0.0 of the sample crashes.
  const old = `${round + 10}.0.0`;
  const bring = (version: string, more: object = {}) =>
    backend.release(releaseDocuments({ version, clusters: CLUSTERS, namespace: 'ours', ...more }));
  rate.isFine();
  await endsAs(contestants, await bring(old), 'Succeeded');
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
  await endsAs(contestants, id, 'RolledBack');
  return taken;
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
  const undo = ['rollout', 'undo', 'deployment/checkout'];
  const done = clusters.kubectl(CLUSTERS[0], '-n', 'bare', ...undo);
  const taken = await timed(() => bare.firstWith('1.0.0', 'bare'));
  await done;
  return taken;
}

run(main);
