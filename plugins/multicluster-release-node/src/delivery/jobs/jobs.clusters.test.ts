import { eventually } from '../../clusters/testing/eventually';
import type { ClusterClient } from '../../clusters/types';
import type { AnalyseData, Effect, KubernetesObject, Outcome } from '../../ports';
import { listAt } from '../json';
import { SERVICE, suiteOnRealCluster } from '../testing/suiteOnRealCluster';
import { dataOf, OPEN, type TestService } from '../testing/TestService';

const STAMP = 'multicluster-release.io/stamp';
const CONTENT = [
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { a: 'b' } },
];

/** The simulated kubelet ends it well; `slow` takes a while, `broken` fails. */
function job(name: string, image = 'smoke:1', more: object = {}) {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: {
      backoffLimit: 0,
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image }] } },
      ...more,
    },
  };
}

describe('Jobs of a gate on a real API server, with the rights of the shipped role', () => {
  let admin: ClusterClient;
  let namespace: string;
  let service: TestService;
  let digest: string;
  suiteOnRealCluster('gates', place => {
    ({ admin, namespace, service } = place);
  });

  beforeEach(async () => {
    digest = await service.content(CONTENT);
    await service.release(digest);
  });

  const jobsPath = () => `/apis/batch/v1/namespaces/${namespace}/jobs`;

  async function jobs(): Promise<KubernetesObject[]> {
    const { body } = await admin.request({ method: 'GET', path: jobsPath() });
    const items = listAt(body, 'items') as KubernetesObject[];
    return items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  }

  const names = async () => (await jobs()).map(({ metadata }) => metadata.name).sort();

  interface Ask extends Partial<Effect> {
    attempt?: number;
  }

  function ask(manifests: object[], { attempt = 0, ...changed }: Ask = {}): Promise<Outcome> {
    return service.perform('analyse', digest, {
      id: `1/cluster-a/${namespace}/analyse/${attempt}/${service.ticket}`,
      jobs: manifests as Record<string, unknown>[],
      ...changed,
    });
  }

  /** Asks as the engine does, until the Jobs have ended. */
  function ended(manifests: object[], asked: Ask = {}): Promise<AnalyseData> {
    return eventually(
      'the Jobs end',
      async () => {
        const data = dataOf(await ask(manifests, asked), 'analyse');
        return data.verdict !== 'running' && data;
      },
      60_000,
    );
  }

  it('are on record before they are made, run once, and pass', async () => {
    const manifests = [job('smoke'), job('load')];
    const first = dataOf(await ask(manifests), 'analyse');
    expect(first).toMatchObject({
      verdict: 'running',
      message: `cluster-a: Job/${namespace}/smoke-1-0, Job/${namespace}/load-1-0 will be started`,
    });
    expect(await names()).toEqual([]);
    const { verdict, message } = await ended(manifests);
    expect({ verdict, message }).toEqual({ verdict: 'passed', message: undefined });
    const [load] = await jobs();
    expect(load.metadata).toMatchObject({
      name: 'load-1-0',
      annotations: { [STAMP]: `${SERVICE}/1.1` },
      labels: { 'multicluster-release.io/service': expect.stringContaining('shop-') },
    });
    expect(service.inventory).toContainEqual({
      apiVersion: 'batch/v1',
      kind: 'Job',
      namespace,
      name: 'load-1-0',
      uid: load.metadata.uid,
      createdByUs: true,
      helper: true,
    });
  });

  it('are found by who asks again, also under a new lease: none runs a second time', async () => {
    await ended([job('smoke')]);
    const [before] = await jobs();
    service.ticket = 2;
    expect(dataOf(await ask([job('smoke')]), 'analyse').verdict).toBe('passed');
    expect((await jobs()).map(({ metadata }) => metadata)).toEqual([before.metadata]);
  });

  it('are found while they run, and bear the stamp of the newer lease', async () => {
    const slow = [job('smoke', 'smoke:slow')];
    await ask(slow);
    await ask(slow);
    const [before] = await jobs();
    service.ticket = 2;
    expect(dataOf(await ask(slow), 'analyse')).toMatchObject({
      verdict: 'running',
      message: expect.stringContaining(`cluster-a: Job/${namespace}/smoke-1-0 runs (`),
    });
    const [after] = await jobs();
    expect(after.metadata.uid).toBe(before.metadata.uid);
    expect(after.metadata.annotations?.[STAMP]).toBe(`${SERVICE}/1.2`);
  });

  it('fail with their reason, and stay for people to look at', async () => {
    const data = await ended([job('smoke'), job('load', 'broken:1')]);
    expect(data.verdict).toBe('failed');
    expect(data.message).toContain(
      `cluster-a: Job/${namespace}/load-1-0 has failed (BackoffLimitExceeded`,
    );
    expect(await names()).toEqual(['load-1-0', 'smoke-1-0']);
    expect(dataOf(await ask([job('smoke'), job('load', 'broken:1')]), 'analyse').verdict).toBe(
      'failed',
    );
  });

  it('fail past their deadline', async () => {
    const { verdict, message } = await ended([
      job('smoke', 'smoke:slow', { activeDeadlineSeconds: 1 }),
    ]);
    expect(verdict).toBe('failed');
    expect(message).toContain('DeadlineExceeded');
  });

  it('run anew in another attempt, which removes those of the one before', async () => {
    await ended([job('smoke', 'broken:1')]);
    const copy = {
      ...{ apiVersion: 'apps/v1', kind: 'Deployment', namespace, name: 'web-canary' },
      ...{ createdByUs: true, helper: true },
    };
    service.inventory.push(copy);
    expect(await service.perform('check', digest)).toMatchObject({ result: 'done' });
    expect((await ended([job('smoke')], { attempt: 1 })).verdict).toBe('passed');
    expect(await names()).toEqual(['smoke-1-1']);
    // Other helpers are not its business.
    expect(service.inventory.filter(({ helper }) => helper).map(({ name }) => name)).toEqual([
      'smoke-1-1',
      'web-canary',
    ]);
  });

  it('are removed after the gate, also where nothing else is pruned, and nothing else goes', async () => {
    await ended([job('smoke')]);
    const outcome = await service.perform('remove', digest, { prune: false });
    expect(outcome).toMatchObject({ result: 'done' });
    expect(await eventually('the Job is gone', async () => (await names()).length === 0)).toBe(
      true,
    );
    expect(service.inventory.map(({ name }) => name)).toEqual(['settings']);
  });

  it('are removed by a rollback that was asked for before they could answer', async () => {
    const slow = [job('smoke', 'smoke:slow')];
    await ask(slow);
    const { inventory } = service;
    await ask(slow);
    service.inventory = inventory;
    expect(await service.release(digest)).toEqual({ result: 'done' });
    expect(await eventually('the Job is gone', async () => (await names()).length === 0)).toBe(
      true,
    );
  });

  it('are not written once the lease is lost', async () => {
    await ask([job('smoke')]);
    const closed = { ...OPEN, mayWrite: () => false };
    const effect = { id: `1/cluster-a/${namespace}/analyse/0/1`, jobs: [job('smoke')] };
    expect(await service.perform('analyse', digest, effect, closed)).toMatchObject({
      result: 'leaseLost',
    });
    expect(await names()).toEqual([]);
  });

  it('give way to a newer stamp', async () => {
    await ended([job('smoke')]);
    const stamp = { service: SERVICE, sequence: 1, ticket: 9 };
    await admin.request({
      method: 'PATCH',
      path: `${jobsPath()}/smoke-1-0`,
      contentType: 'application/merge-patch+json',
      body: {
        metadata: { annotations: { [STAMP]: `${SERVICE}/${stamp.sequence}.${stamp.ticket}` } },
      },
    });
    expect(await ask([job('smoke')])).toMatchObject({ result: 'leaseLost' });
  });

  it('are refused where a Job of that name is somebody else’s, and by what the API server says', async () => {
    await admin.request({
      method: 'POST',
      path: jobsPath(),
      body: {
        ...job('smoke-1-0'),
        metadata: { name: 'smoke-1-0', labels: { 'helm.toolkit.fluxcd.io/name': 'x' } },
      },
    });
    await ask([job('smoke'), job('odd', 'smoke:1', { completions: -1 })]);
    const outcome = await ask([job('smoke'), job('odd', 'smoke:1', { completions: -1 })]);
    expect(outcome).toMatchObject({ result: 'refused' });
    const { message } = outcome as { message: string };
    expect(message).toContain(`cluster-a: Job/${namespace}/smoke-1-0: belongs to Flux`);
    expect(message).toContain('spec.completions');
    expect(await names()).toEqual(['smoke-1-0']);
  });
});
