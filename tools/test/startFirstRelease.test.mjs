import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, describe, it } from 'node:test';
import { Stages } from '../stages.mjs';
import { BackstageClient } from '../start/BackstageClient.mjs';
import { bringSample, findSample } from '../start/firstRelease.mjs';
import { settleSample } from '../start/runStart.mjs';

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

describe('findSample', () => {
  /** @param {object} summary */
  const find = async summary => {
    const { client } = await backend({ [`GET ${SUMMARY}`]: summary });
    return findSample(client);
  };

  it('finds nothing before the first release', async () => {
    assert.equal(await find({ versions: [] }), undefined);
  });

  it('finds what runs, by version and whether it is seen', async () => {
    const versions = [
      runs('2.0.0', 'cluster-a'),
      runs('2.0.0', 'cluster-b', 'unreachable'),
      runs(undefined, 'cluster-c'),
    ];
    assert.deepEqual(await find({ versions }), {
      running: [
        { version: '2.0.0', isSeen: true, clusters: ['cluster-a'] },
        { version: '2.0.0', isSeen: false, clusters: ['cluster-b'] },
        { version: 'an unknown version', isSeen: true, clusters: ['cluster-c'] },
      ],
      underWay: undefined,
    });
  });

  it('finds a release that has not ended, and what it waits for first of all', async () => {
    const waiting = [{ message: 'Waiting for someone to promote' }, { message: 'Paused' }];
    const activeRelease = { targetVersion: '3.0.0', state: 'Waiting', waiting };
    assert.deepEqual(await find({ versions: [], activeRelease }), {
      running: [],
      underWay: { version: '3.0.0', state: 'Waiting', message: 'Waiting for someone to promote' },
    });
  });

  it('finds a release that waits for nothing', async () => {
    const activeRelease = { targetVersion: '1.0.0', state: 'Progressing', waiting: [] };
    assert.deepEqual(await find({ versions: [], activeRelease }), {
      running: [],
      underWay: { version: '1.0.0', state: 'Progressing', message: undefined },
    });
  });
});

describe('bringSample', () => {
  it('releases 1.0.0 once every cluster is there, and waits for its end', async () => {
    const starting = ok.map(cluster => ({ ...cluster, state: 'starting' }));
    const counts = { done: 2, total: 4 };
    const { client, calls } = await backend({
      [`GET ${SUMMARY}`]: { versions: [runs('1.0.0', 'cluster-b'), runs('1.0.0', 'cluster-a')] },
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

  it('never calls a release that did not succeed a success', async () => {
    const { client } = await backend({
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
      [`GET ${API}/clusters`]: { items: ok, stale: false },
      [START]: { status: 400, error: { message: 'placement checkout selects no cluster' } },
    });
    await assert.rejects(
      bringSample(client, () => {}),
      { message: 'placement checkout selects no cluster' },
    );
  });
});

describe('settleSample', () => {
  /** @param {object[]} summaries */
  const settle = async summaries => {
    const { client, calls } = await backend({
      [`GET ${SUMMARY}`]: summaries,
      [`GET ${API}/clusters`]: { items: ok, stale: false },
      [START]: { id: 'one' },
      [`GET ${API}/releases/one`]: { state: 'Succeeded', finishedAt: 1 },
    });
    /** @type {string[]} */
    const lines = [];
    const sample = await settleSample(
      new Stages(['first release'], line => lines.push(line)),
      client,
    );
    const starts = calls.filter(call => call === START).length;
    return { sample, starts, said: lines.map(line => line.replace(/^\[.*?\] /, '')) };
  };
  const running = { versions: [runs('1.0.0', 'cluster-a')] };

  it('tells of the first release where it starts one', async () => {
    const { sample, starts, said } = await settle([{ versions: [] }, running]);
    assert.equal(sample.running.length, 1);
    assert.equal(starts, 1);
    assert.equal(said.length, 2);
    assert.equal(said[0], 'first release starts');
    assert.match(said[1], /^first release took /);
  });

  it('starts none, and tells of none, where a version runs or a release is under way', async () => {
    const activeRelease = { targetVersion: '1.0.0', state: 'Waiting', waiting: [] };
    for (const summary of [running, { versions: [], activeRelease }]) {
      const { starts, said } = await settle([summary]);
      assert.equal(starts, 0);
      assert.deepEqual(said, []);
      server?.close();
    }
  });
});
