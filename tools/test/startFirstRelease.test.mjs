import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, describe, it } from 'node:test';
import { BackstageClient } from '../start/BackstageClient.mjs';
import { bringSample } from '../start/firstRelease.mjs';

const SUMMARY = '/api/multicluster-release/services/component/default/checkout/summary';
const ok = ['cluster-a', 'cluster-b', 'cluster-c', 'cluster-green'].map(name => ({
  name,
  state: 'ok',
}));

/** @param {string | undefined} version @param {string} cluster */
const runs = (version, cluster, clusterState = 'ok') => ({ version, cluster, clusterState });

/** @type {import('node:http').Server | undefined} */
let server;
afterEach(() => server?.close());

/**
 * A backend of few answers; a list gives one after the other and stays with its last.
 *
 * @param {Record<string, any>} answers by method and path
 */
async function backend(answers) {
  /** @type {string[]} */
  const calls = [];
  server = createServer((incoming, outgoing) => {
    const call = `${incoming.method} ${incoming.url}`;
    calls.push(call);
    const known = {
      'POST /api/auth/guest/refresh': { backstageIdentity: { token: 't' } },
      ...answers,
    };
    const answer = known[call];
    const body = Array.isArray(answer) && answer.length > 1 ? answer.shift() : [answer].flat()[0];
    outgoing.writeHead(body === undefined ? 404 : body.status ?? 200);
    outgoing.end(JSON.stringify(body ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { client: new BackstageClient(port), calls };
}

const API = '/api/multicluster-release';
const START = `POST ${API}/releases?service=component:default/checkout`;

describe('bringSample', () => {
  it('releases 1.0.0 once every cluster is there, and waits for its end', async () => {
    const starting = ok.map(cluster => ({ ...cluster, state: 'starting' }));
    const counts = { done: 2, total: 4 };
    const { client, calls } = await backend({
      [`GET ${SUMMARY}`]: [
        { versions: [] },
        { versions: [runs('1.0.0', 'cluster-b'), runs('1.0.0', 'cluster-a')] },
      ],
      [`GET ${API}/clusters`]: [
        { items: starting, stale: true },
        { items: ok, stale: false },
      ],
      [START]: { id: 'one' },
      [`GET ${API}/releases/one`]: { revision: 3, counts },
      [`GET ${API}/releases/one?afterRevision=3&waitSeconds=20`]: {
        state: 'Succeeded',
        finishedAt: 1,
      },
    });
    /** @type {string[]} */
    const progress = [];
    assert.deepEqual(await bringSample(client, line => progress.push(line)), {
      running: [{ version: '1.0.0', isSeen: true, clusters: ['cluster-a', 'cluster-b'] }],
    });
    assert.equal(calls.filter(call => call === START).length, 1);
    assert.deepEqual(progress, [
      'waiting until the backend has seen cluster-a, cluster-b, cluster-c, cluster-green',
      'starting 1.0.0',
      '2 of 4 clusters have it',
    ]);
  });

  it('releases nothing where a version runs, or a release is under way', async () => {
    const running = {
      versions: [
        runs('2.0.0', 'cluster-a'),
        runs('2.0.0', 'cluster-b', 'unreachable'),
        runs(undefined, 'cluster-c'),
      ],
    };
    const underWay = { versions: [], activeRelease: { targetVersion: '1.0.0' } };
    for (const [summary, expected] of [
      [
        running,
        {
          running: [
            { version: '2.0.0', isSeen: true, clusters: ['cluster-a'] },
            { version: '2.0.0', isSeen: false, clusters: ['cluster-b'] },
            { version: 'an unknown version', isSeen: true, clusters: ['cluster-c'] },
          ],
          underWay: undefined,
        },
      ],
      [underWay, { running: [], underWay: '1.0.0' }],
    ]) {
      const { client, calls } = await backend({ [`GET ${SUMMARY}`]: summary });
      assert.deepEqual(await bringSample(client, () => {}), expected);
      assert.equal(calls.includes(START), false);
      server?.close();
    }
  });

  it('never calls a release that did not succeed a success', async () => {
    const { client } = await backend({
      [`GET ${SUMMARY}`]: { versions: [] },
      [`GET ${API}/clusters`]: { items: ok, stale: false },
      [START]: { id: 'one' },
      [`GET ${API}/releases/one`]: { state: 'RolledBack', finishedAt: 1 },
    });
    await assert.rejects(
      bringSample(client, () => {}),
      { message: 'the first release of 1.0.0 ended as RolledBack' },
    );
  });

  it('says what the backend says where it refuses', async () => {
    const { client } = await backend({
      [`GET ${SUMMARY}`]: { versions: [] },
      [`GET ${API}/clusters`]: { items: ok, stale: false },
      [START]: { status: 400, error: { message: 'placement checkout selects no cluster' } },
    });
    await assert.rejects(
      bringSample(client, () => {}),
      { message: 'placement checkout selects no cluster' },
    );
  });
});
