import request from 'supertest';
import { catchUpJoiners } from '../commands/releases/catchUpJoiners';
import { overHttp } from '../http/__testUtils__/overHttp';
import { waitsAt } from '../testing/runs';
import { oneByOne } from '../testing/samples';
import type { SmallBackend } from '../testing/smallBackend';
import { suiteOnRealClusters } from '../testing/suiteOnRealClusters';

const CLUSTERS = ['member-a', 'member-b', 'member-c'];
const [, B, C] = CLUSTERS;

const ONE_BY_ONE = oneByOne(CLUSTERS);
const NEW = CLUSTERS.map(() => '2.0.0');
const OLD = CLUSTERS.map(() => '1.0.0');

describe('members over real clusters', () => {
  const { inEmptyScene, inScene } = suiteOnRealClusters({ names: CLUSTERS, prefix: 'members' });

  describe('a service', () => {
    it.concurrent('is taken off a cluster, runs on elsewhere, and can come back', () =>
      inScene(async ({ backend, namespace, versions, fingerprint, kubectl, told }) => {
        const app = overHttp(backend);
        const path = `/services/component/default/checkout/clusters/${B}`;
        const remove = (query: object) => request(app).delete(path).query(query);
        const objectsOnB = async () => {
          const kinds = 'deployments,configmaps,services,replicasets,pods';
          const answer = await kubectl(B, 'get', kinds, '-o', 'name');
          const names = answer.split('\n').filter(line => /checkout|only-in-1/.test(line));
          return names.filter(line => !/^(pod|replicaset)/.test(line)).sort();
        };
        const before = await fingerprint();
        const elsewhere = (marks: string[]) => marks.filter(mark => !mark.startsWith(`${B} `));
        const objects = [
          'configmap/checkout',
          'configmap/only-in-1',
          'deployment.apps/checkout',
          'service/checkout',
        ];
        expect(await objectsOnB()).toEqual(objects);

        const { body: preview } = await remove({ dryRun: true }).expect(200);
        expect(preview).toMatchObject({
          targets: [{ cluster: B, namespace }],
          kept: [],
          findings: [],
        });
        const goes = preview.changes.map(({ kind, name, change }: Record<string, string>) =>
          [change, kind, name].join(' '),
        );
        expect(goes.sort()).toEqual([
          'deleted ConfigMap checkout',
          'deleted ConfigMap only-in-1',
          'deleted Deployment checkout',
          'deleted Service checkout',
        ]);
        // Looking removes nothing, and no reason is no order.
        await remove({}).expect(400);
        expect(await fingerprint()).toEqual(before);

        const reason = 'the cluster is going away';
        const { body: removal } = await remove({ reason }).expect(201);
        expect(await backend.ended(removal.id)).toMatchObject({ state: 'Succeeded' });
        expect(await versions()).toEqual(['1.0.0', '-', '1.0.0']);
        expect(await objectsOnB()).toEqual([]);
        expect(await fingerprint()).toEqual(elsewhere(before));
        expect(await told(removal.id, 'RemovalCreated')).toEqual([
          `user:default/mock RemovalCreated (${reason})`,
        ]);

        const { body: back } = await request(app)
          .post(`/releases/${removal.id}/rollback`)
          .send({ reason: 'it stays after all' })
          .expect(201);
        expect(await backend.ended(back.id)).toMatchObject({ state: 'Succeeded' });
        expect(await versions()).toEqual(OLD);
        expect(await objectsOnB()).toEqual(objects);
        expect(elsewhere(await fingerprint())).toEqual(elsewhere(before));
        await kubectl(B, 'rollout', 'status', 'deployment', 'checkout', '--timeout=60s');
      }),
    );

    it.concurrent('that is gone from the catalog can be paused and sent back in its middle', () =>
      inScene(async ({ backend, start, versions, told }) => {
        let gone = false;
        const app = overHttp(backend, { entities: () => !gone });
        const id = await start('2.0.0', ONE_BY_ONE);
        await backend.until(id, waitsAt(0));
        gone = true;
        const order = (action: string, reason: string) =>
          request(app).post(`/releases/${id}/${action}`).send({ reason }).expect(200);
        await order('pause', 'nobody owns it any more');
        await backend.until(id, ({ state }) => state === 'Paused');
        await order('rollback', 'nobody owns it any more');
        expect(await backend.ended(id)).toMatchObject({ state: 'RolledBack' });
        expect(await versions()).toEqual(OLD);
        expect(await told(id, 'Paused', 'RollbackRequested')).toEqual([
          'user:default/mock Paused (nobody owns it any more)',
          'user:default/mock RollbackRequested (nobody owns it any more)',
        ]);
      }),
    );

    it.concurrent('that is gone from the catalog can be stopped where it is', () =>
      inScene(async ({ backend, start, versions }) => {
        let gone = false;
        const app = overHttp(backend, { entities: () => !gone });
        const id = await start('2.0.0', ONE_BY_ONE);
        await backend.until(id, waitsAt(0));
        gone = true;
        const reason = 'nobody owns it any more';
        await request(app).post(`/releases/${id}/abort`).send({ reason }).expect(200);
        expect(await backend.ended(id)).toMatchObject({ state: 'Aborted' });
        expect(await versions()).toEqual(['2.0.0', '1.0.0', '1.0.0']);
      }),
    );
  });

  describe('a cluster that joins the fleet', () => {
    const everywhere = (joining: string) => ({
      placement: { select: {}, groups: [{ name: 'all', match: {} }] },
      policy: { joining },
    });

    it.concurrent('catches up where the policy says so, once, and the others are left alone', () =>
      inEmptyScene(async ({ backend, start, versions, fingerprint }) => {
        const joins = withoutListed(backend, C);
        const id = await start('1.0.0', everywhere('CatchUp'));
        expect(await backend.ended(id)).toMatchObject({ state: 'Succeeded' });
        expect(await catchUpJoiners(backend.commands)).toEqual([]);
        expect(await versions()).toEqual(['1.0.0', '1.0.0', '-']);
        const before = await fingerprint();
        joins();
        const [made] = await catchUpJoiners(backend.commands);
        const run = await backend.ended(made);
        expect(run.targets.map(({ cluster, state }) => [cluster, state])).toEqual([[C, 'Done']]);
        expect(await versions()).toEqual(OLD);
        const after = await fingerprint();
        expect(after.filter(mark => !mark.startsWith(`${C} `))).toEqual(before);
        expect(await catchUpJoiners(backend.commands)).toEqual([]);
      }),
    );

    it.concurrent('waits for the next release where the policy says that', () =>
      inEmptyScene(async ({ backend, start, versions }) => {
        const joins = withoutListed(backend, C);
        await backend.ended(await start('1.0.0', everywhere('NextRelease')));
        joins();
        expect(await catchUpJoiners(backend.commands)).toEqual([]);
        expect(await versions()).toEqual(['1.0.0', '1.0.0', '-']);
        await backend.ended(await start('2.0.0', everywhere('NextRelease')));
        expect(await versions()).toEqual(NEW);
      }),
    );
  });
});

/** The fleet as it is planned on, without this cluster until the answer is called. */
function withoutListed({ commands }: SmallBackend, absent: string): () => void {
  const { registry } = commands;
  const list = () => {
    const listed = registry.list();
    return { ...listed, clusters: listed.clusters.filter(({ name }) => name !== absent) };
  };
  commands.registry = Object.create(registry, { list: { value: list } });
  return () => {
    commands.registry = registry;
  };
}
