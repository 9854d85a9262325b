import { AuthorizeResult } from '@backstage/plugin-permission-common';
import { fleetWritePermission } from 'backstage-plugin-multicluster-release-common';
import request from 'supertest';
import { describeOnEachDatabase } from '../store/__testUtils__/eachDatabase';
import { createBench, SERVICE, type Bench } from './__testUtils__/bench';
import { BY_HAND, sampleRelease, sampleTemplate } from './__testUtils__/documents';
import { until } from './__testUtils__/until';

// A database of its own for each test, and the real router: slow where the machine is busy.
jest.setTimeout(60_000);

describeOnEachDatabase(
  'a service whose entity is renamed or deleted while its release runs',
  open => {
    let bench: Bench;
    let gone = false;
    let keepsFleet = true;

    beforeEach(async () => {
      gone = false;
      keepsFleet = true;
      bench = createBench({
        database: await open(),
        entities: () => !gone,
        // A policy by owner: of what is gone nobody is the owner.
        decide: (permission, resource) => {
          const allowed =
            permission === fleetWritePermission.name ? keepsFleet : resource === undefined || !gone;
          return allowed ? AuthorizeResult.ALLOW : AuthorizeResult.DENY;
        },
      });
      bench.engine.start();
    });

    afterEach(() => bench.stop());

    const stateOf = async (id: string) => (await request(bench.app).get(`/releases/${id}`)).body;

    async function waiting(): Promise<string> {
      const { body } = await request(bench.app)
        .post(`/releases?service=${SERVICE}`)
        .send([sampleRelease({ strategy: BY_HAND }), sampleTemplate()])
        .expect(201);
      await until(
        () => stateOf(body.id),
        ({ waiting: [first] }) => first?.code === 'promote',
      );
      return body.id;
    }

    it('stays in the hands of whoever keeps the fleet', async () => {
      const id = await waiting();
      gone = true;
      const { actions } = await stateOf(id);
      expect(actions).toMatchObject({ promote: { allowed: true }, rollback: { allowed: true } });
      const { body } = await request(bench.app).get('/releases?state=active').expect(200);
      expect(body.items).toMatchObject([{ id, actions: { promote: { allowed: true } } }]);
      await request(bench.app)
        .post(`/releases/${id}/promote`)
        .send({ expectedStage: 0 })
        .expect(200);
      await until(
        () => stateOf(id),
        ({ state }) => state === 'Succeeded',
      );
      await request(bench.app)
        .delete('/services/component/default/checkout/clusters/cluster-b')
        .query({ reason: 'nobody owns it any more' })
        .expect(201);
    });

    it('lets whoever keeps the fleet release a hold together with the order', async () => {
      const id = await waiting();
      gone = true;
      const { body } = await request(bench.app)
        .post(`/releases/${id}/pause`)
        .send({ releaseHold: true })
        .expect(200);
      expect(body.result).toBe('changed');
    });

    it('is hidden from everybody else, and starts nothing new', async () => {
      const id = await waiting();
      gone = true;
      keepsFleet = false;
      await request(bench.app).get(`/releases/${id}`).expect(404);
      await request(bench.app).post(`/releases/${id}/pause`).send({}).expect(404);
      const { body } = await request(bench.app).get('/releases').expect(200);
      expect(body.items).toEqual([]);
      keepsFleet = true;
      await request(bench.app)
        .post(`/releases?service=${SERVICE}`)
        .send([sampleRelease(), sampleTemplate()])
        .expect(404);
    });
  },
);
