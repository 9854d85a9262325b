import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { ContentCipher } from '../../encryption/ContentCipher';
import { describeOnEachDatabase } from '../../__testUtils__/eachDatabase';
import { NOON, sampleRelease, SERVICE, withTarget } from '../../__testUtils__/samples';
import { putContent } from '../contents/putContent';
import { savePreviewedPlan } from '../plans/savePreviewedPlan';
import { changeRun } from '../releases/changeRun';
import { createRelease } from '../releases/createRelease';
import { removeOldRecords } from './removeOldRecords';

const DAY = 24 * 60 * 60 * 1000;
const cipher = new ContentCipher([], randomBytes);

/** A release that has ended with its own content on one cluster, or on none. */
async function ended(database: Knex, index: number, cluster?: string): Promise<string> {
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `c${index}` },
  };
  const now = NOON + index;
  const digest = await putContent(
    database,
    { version: `${index}`, objects: [object] },
    { cipher, now },
  );
  const release = sampleRelease({
    id: `r${index}`,
    clusters: [cluster ?? 'nowhere'],
    now,
  });
  release.plan.targets.forEach(target => {
    target.to = { digest, version: `${index}` };
  });
  const { begin } = release;
  await createRelease(database, {
    ...release,
    begin: context => {
      const { run, events } = begin(context);
      return { run: { ...run, plans: [release.plan] }, events };
    },
  });
  await changeRun(
    database,
    release.id,
    ({ run }) => ({
      run: {
        ...(cluster
          ? withTarget(run, cluster, {
              state: 'Done',
              touched: true,
              sequence: index,
            })
          : run),
        state: 'Succeeded',
        needsWork: false,
      },
      events: [],
    }),
    { now },
  );
  return digest;
}

async function ids(database: Knex): Promise<string[]> {
  const rows = await database('releases').select('id').orderBy('created_at');
  return rows.map(row => row.id);
}

describeOnEachDatabase('removeOldRecords', open => {
  it('keeps the newest releases of a service, and all that a cluster still runs', async () => {
    const database = await open();
    const digests: string[] = [];
    for (const [index, cluster] of [undefined, 'a', 'b', 'a', 'c'].entries()) {
      digests.push(await ended(database, index, cluster));
    }
    // r1 ran on `a` before r3 did; r2 still runs on `b`.
    const removed = await removeOldRecords(database, {
      now: NOON + 3 * DAY,
      keepReleases: 1,
    });
    expect(removed).toMatchObject({ releases: 2, contents: 2 });
    expect(await ids(database)).toEqual(['r2', 'r3', 'r4']);
    const kept = await database('contents').select('digest');
    expect(kept.map(row => row.digest).sort()).toEqual(digests.slice(2).sort());
    for (const table of [
      'measurements',
      'plans',
      'release_targets',
      'events',
      'content_references',
    ]) {
      expect(await database(table).whereIn('release_id', ['r0', 'r1'])).toEqual([]);
    }
    expect(await database('content_chunks')).toHaveLength(3);
  });

  it('keeps what has not ended or has work left, however old', async () => {
    const database = await open();
    await ended(database, 0);
    await ended(database, 1);
    await ended(database, 2);
    await database('releases').where('id', 'r0').update({ state: 'Waiting' });
    await database('releases').where('id', 'r1').update({ needs_work: true });
    expect(
      await removeOldRecords(database, {
        now: NOON + 9 * DAY,
        keepReleases: 1,
      }),
    ).toMatchObject({ releases: 0 });
    expect(await ids(database)).toEqual(['r0', 'r1', 'r2']);
  });

  it('keeps 50 releases of each service unless told otherwise', async () => {
    const database = await open();
    for (let index = 0; index < 52; index += 1) {
      const release = sampleRelease({
        id: `x${index}`,
        now: NOON + index,
        clusters: ['a'],
      });
      await createRelease(database, release);
    }
    await database('releases').update({
      state: 'Succeeded',
      needs_work: false,
    });
    expect((await removeOldRecords(database, { now: NOON })).releases).toBe(2);
    expect((await ids(database))[0]).toBe('x2');
  });

  it('leaves content alone for two days after it was stored, and removes what nobody needs after', async () => {
    const database = await open();
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'previewed' },
    };
    const put = (now: number) =>
      putContent(database, { version: '1', objects: [object] }, { cipher, now });
    await put(NOON);
    await put(NOON + DAY);
    expect((await removeOldRecords(database, { now: NOON + 3 * DAY - 1 })).contents).toBe(0);
    expect((await removeOldRecords(database, { now: NOON + 3 * DAY })).contents).toBe(1);
    expect(await database('content_chunks')).toEqual([]);
  });

  it('removes previews and idempotency keys of yesterday', async () => {
    const database = await open();
    const { spec, plan } = sampleRelease({ id: 'p' });
    const rest = {
      spec,
      plan,
      findings: [],
      diff: [],
      excluded: [],
      risks: {},
    };
    await savePreviewedPlan(database, {
      hash: 'old',
      service: SERVICE,
      ...rest,
      createdAt: NOON,
    });
    await savePreviewedPlan(database, {
      hash: 'new',
      service: SERVICE,
      ...rest,
      createdAt: NOON + 1,
    });
    const idempotency = { scope: 'ada', key: 'k', bodyHash: 'b' };
    await createRelease(database, {
      ...sampleRelease({ id: 'r1' }),
      idempotency,
    });
    const removed = await removeOldRecords(database, { now: NOON + DAY });
    expect(removed).toMatchObject({ previews: 1, idempotencyKeys: 1 });
    expect(await database('previewed_plans').select('hash')).toEqual([{ hash: 'new' }]);
  });

  it('keeps the preview of a release until it has ended, for those who are asked to approve it', async () => {
    const database = await open();
    await ended(database, 1);
    const [{ hash }] = await database('plans').select('hash');
    const { spec, plan } = sampleRelease({ id: 'p' });
    await savePreviewedPlan(database, {
      ...{ hash, service: SERVICE, spec, plan },
      ...{ findings: [], diff: [], excluded: [], risks: {}, createdAt: NOON },
    });
    const removed = async () => (await removeOldRecords(database, { now: NOON + DAY })).previews;
    await database('releases').update({ state: 'Waiting' });
    expect(await removed()).toBe(0);
    await database('releases').update({ state: 'Succeeded' });
    expect(await removed()).toBe(1);
  });
});
