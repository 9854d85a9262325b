import { mockCredentials } from '@backstage/backend-test-utils';
import { AuthorizeResult } from '@backstage/plugin-permission-common';
import request from 'supertest';
import { migratedDatabase } from '../store/__testUtils__/eachDatabase';
import { createBench, SERVICE, type Bench, type BenchOptions } from './__testUtils__/bench';
import { BY_HAND, sampleRelease, sampleTemplate } from './__testUtils__/documents';
import { until } from './__testUtils__/until';

// A database of its own for each test, and the real router: slow where the machine is busy.
jest.setTimeout(60_000);

const START = `/releases?service=${SERVICE}`;
const CLUSTER_ROLE = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'checkout' },
  rules: [],
};

const readOnly: BenchOptions['decide'] = permission =>
  permission.endsWith('.read') ? AuthorizeResult.ALLOW : AuthorizeResult.DENY;

describe('who may do what', () => {
  let bench: Bench;

  async function setUp(options: Omit<BenchOptions, 'database'> = {}) {
    bench = createBench({ database: await migratedDatabase('SQLITE_3'), ...options });
    bench.engine.start();
  }

  afterEach(() => bench.stop());

  const send = (url: string, body: object) => request(bench.app).post(url).send(body);

  it('lets a reader look and refuses every write, also a forged one', async () => {
    let decide: NonNullable<BenchOptions['decide']> = () => AuthorizeResult.ALLOW;
    await setUp({ decide: (...question) => decide(...question) });
    const { body } = await send(START, [
      sampleRelease({ strategy: BY_HAND }),
      sampleTemplate(),
    ]).expect(201);
    decide = readOnly;

    const { body: release } = await request(bench.app).get(`/releases/${body.id}`).expect(200);
    expect(release.actions.rollback).toEqual({
      allowed: false,
      reasonCode: 'NotAllowed',
      params: { permission: 'multicluster-release.release.rollback', service: SERVICE },
      message: expect.stringContaining('multicluster-release.release.rollback'),
    });
    await send(`${START}&dryRun=true`, [sampleRelease(), sampleTemplate()]).expect(200);
    const refused = [
      await send(START, [sampleRelease(), sampleTemplate()]),
      ...(await Promise.all(
        ['promote', 'pause', 'resume', 'abort', 'rollback', 'retry', 'accept'].map(action =>
          send(`/releases/${body.id}/${action}`, {}),
        ),
      )),
      await request(bench.app)
        .put('/services/component/default/checkout/definition')
        .send([sampleTemplate()]),
      await request(bench.app).put('/policies/careful').send([]),
      await send('/clusters/confirm-empty', {}),
    ];
    expect(refused.map(({ status, body: { error } }) => [status, error.name])).toEqual(
      refused.map(() => [403, 'NotAllowedError']),
    );
    expect(bench.audit.filter(({ ended }) => ended === 'success')).toHaveLength(1);
  });

  it.each([
    ['a conditional answer', 'CONDITIONAL'],
    ['a word that is not known', 'MAYBE'],
  ])('takes %s for a no', async (_name, result) => {
    await setUp({ decide: () => result as AuthorizeResult });
    const start = await send(START, [sampleRelease(), sampleTemplate()]);
    const read = await request(bench.app).get('/services/component/default/checkout/summary');
    expect([start.status, read.status]).toEqual([403, 403]);
  });

  it('asks for the service itself, so that a condition of the policy can be decided', async () => {
    const asked: (string | undefined)[] = [];
    await setUp({
      decide: (_permission, resourceRef) => {
        asked.push(resourceRef);
        return AuthorizeResult.ALLOW;
      },
    });
    await request(bench.app).get('/services/Component/default/checkout/summary').expect(200);
    expect(new Set(asked)).toEqual(new Set([SERVICE]));
  });

  it('shows nothing of a service that the catalog does not show', async () => {
    await setUp();
    const answers = await Promise.all([
      request(bench.app).get('/services/component/default/other/summary'),
      send('/releases?service=component:default/other', [sampleRelease(), sampleTemplate()]),
      request(bench.app).get('/releases/there-is-none'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  it('leaves out of lists what the viewer may not see', async () => {
    let visible = true;
    await setUp({
      decide: permission =>
        visible || permission !== 'multicluster-release.release.read'
          ? AuthorizeResult.ALLOW
          : AuthorizeResult.DENY,
    });
    await send(START, [sampleRelease(), sampleTemplate()]).expect(201);
    const paths = ['/releases', '/services', '/audit', '/versions', '/holds'];
    const counts = async () =>
      Promise.all(
        paths.map(async path => (await request(bench.app).get(path).expect(200)).body.items.length),
      );
    expect((await counts()).slice(0, 3).every(count => count > 0)).toBe(true);
    visible = false;
    expect(await counts()).toEqual([0, 0, 0, 0, 0]);
  });

  it('writes outside of namespaces only with the permission for it', async () => {
    let allowed = false;
    await setUp({
      decide: permission =>
        permission.includes('cluster-scoped') && !allowed
          ? AuthorizeResult.DENY
          : AuthorizeResult.ALLOW,
    });
    const documents = [sampleRelease(), sampleTemplate([CLUSTER_ROLE])];
    const { body } = await send(START, documents).expect(400);
    expect(body.error.details[0]).toMatchObject({
      code: 'ClusterScopedNotAllowed',
      cluster: 'cluster-a',
    });
    allowed = true;
    await send(START, documents).expect(201);
  });

  it('holds owners to their namespaces', async () => {
    const tenancy = [{ owners: ['group:default/shop'], namespaces: ['shop-*'] }];
    await setUp({ settings: { tenancy } });
    const preview = await send(`${START}&dryRun=true`, [sampleRelease(), sampleTemplate()]).expect(
      200,
    );
    expect(preview.body.findings).toContainEqual(
      expect.objectContaining({
        severity: 'error',
        code: 'NamespaceNotAllowed',
        params: expect.objectContaining({ may: 'shop-*' }),
      }),
    );
    await send(START, [sampleRelease(), sampleTemplate()]).expect(400);
    expect(bench.hands.previewed).toEqual([]);
  });

  it('audits every write with how it ended, and for whom a service called', async () => {
    await setUp();
    const asService = (url: string) =>
      request(bench.app).post(url).set('Authorization', mockCredentials.service.header());
    const { body } = await asService(
      `${START}&onBehalfOf=user:default/grace&link=https://ci.example.com/7`,
    )
      .send([sampleRelease(), sampleTemplate()])
      .expect(201);
    const { body: release } = await request(bench.app).get(`/releases/${body.id}`).expect(200);
    expect(release).toMatchObject({
      startedBy: 'external:test-service',
      onBehalfOf: 'user:default/grace',
      link: 'https://ci.example.com/7',
    });
    await send(`${START}&onBehalfOf=user:default/grace`, [
      sampleRelease(),
      sampleTemplate(),
    ]).expect(400);
    await send(`${START}&link=javascript:alert(1)`, [sampleRelease(), sampleTemplate()]).expect(
      400,
    );
    await until(
      async () => bench.audit,
      audit => audit.every(({ ended }) => ended !== undefined),
    );
    expect(
      bench.audit.map(({ eventId, severityLevel, ended }) => [eventId, severityLevel, ended]),
    ).toEqual([
      ['release-start', 'medium', 'success'],
      ['release-start', 'medium', 'fail'],
      ['release-start', 'medium', 'fail'],
    ]);
  });
});
