import type { Knex } from 'knex';
import {
  describeOnEachDatabase,
  migratedDatabase,
  POSTGRES,
  requirePostgres,
} from '../../__testUtils__/eachDatabase';
import { withOtherBackend } from '../../__testUtils__/otherBackend';
import { expireLease, NOON, sampleRelease, startedRelease } from '../../__testUtils__/samples';
import { createRelease } from '../releases/createRelease';
import { claimReleases } from './claimReleases';
import { releaseLeases } from './releaseLeases';
import { renewLeases } from './renewLeases';

const clock = () => NOON;
const LEASE = { leaseMilliseconds: 60_000, limit: 10, clock };

async function claim(
  database: Knex,
  holder: string,
  more: { exclude?: string[]; limit?: number } = {},
) {
  return claimReleases(database, { ...LEASE, holder, ...more });
}

async function createSome(database: Knex, ids: string[]): Promise<void> {
  for (const [index, id] of ids.entries()) {
    const options = {
      id,
      service: `component:default/${id}`,
      now: NOON + index,
    };
    await createRelease(database, sampleRelease(options));
  }
}

describeOnEachDatabase('leases', open => {
  it('claims the oldest free releases up to the limit', async () => {
    const database = await open();
    await createSome(database, ['r1', 'r2', 'r3']);
    const leases = await claim(database, 'replica-1', { limit: 2 });
    expect(leases).toEqual([
      { releaseId: 'r1', holder: 'replica-1', ticket: 1, until: NOON + 60_000 },
      { releaseId: 'r2', holder: 'replica-1', ticket: 1, until: NOON + 60_000 },
    ]);
    const rows = await database('releases').orderBy('id');
    expect(rows.map(row => [row.id, row.lease_holder, row.lease_ticket])).toEqual([
      ['r1', 'replica-1', 1],
      ['r2', 'replica-1', 1],
      ['r3', null, 0],
    ]);
  });

  it('leaves out what is held, what is excluded and what needs no work', async () => {
    const database = await open();
    await createSome(database, ['held', 'excluded', 'idle', 'free']);
    await claim(database, 'replica-1', { limit: 1 });
    await database('releases').where('id', 'idle').update({ needs_work: false });
    const leases = await claim(database, 'replica-2', {
      exclude: ['excluded'],
    });
    expect(leases.map(lease => lease.releaseId)).toEqual(['free']);
  });

  it('takes over what a killed replica held, under a new ticket (C23)', async () => {
    const database = await open();
    const lost = await startedRelease(database, { id: 'r1' });
    expect(await claim(database, 'replica-2')).toEqual([]);
    await expireLease(database, 'r1');
    const [taken] = await claim(database, 'replica-2');
    expect(taken).toMatchObject({
      releaseId: 'r1',
      holder: 'replica-2',
      ticket: 2,
    });
    expect(await renewLeases(database, [lost], LEASE)).toEqual([]);
    await releaseLeases(database, [lost]);
    const row = await database('releases').where('id', 'r1').first();
    expect([row.lease_holder, row.lease_ticket]).toEqual(['replica-2', 2]);
  });

  it('renews under the same ticket, also after the end where nobody has claimed', async () => {
    const database = await open();
    const lease = await startedRelease(database, { id: 'r1' });
    await expireLease(database, 'r1');
    const later = { leaseMilliseconds: 60_000, clock: () => NOON + 5_000 };
    expect(await renewLeases(database, [lease], later)).toEqual([
      { ...lease, until: NOON + 65_000 },
    ]);
    expect(await claim(database, 'replica-2')).toEqual([]);
  });

  it('frees a release at once when its lease is given back', async () => {
    const database = await open();
    const lease = await startedRelease(database, { id: 'r1' });
    await releaseLeases(database, [lease]);
    expect(await claim(database, 'replica-2')).toMatchObject([{ releaseId: 'r1', ticket: 2 }]);
  });

  it('gives each release to one claimer only, however many ask at once', async () => {
    const database = await open();
    const ids = Array.from({ length: 20 }, (_, index) => `r${index}`);
    await createSome(database, ids);
    const askers = Array.from({ length: 4 }, (_, index) =>
      claim(database, `replica-${index}`, { limit: 8 }),
    );
    const claimed = (await Promise.all(askers)).flat().map(lease => lease.releaseId);
    expect(new Set(claimed).size).toBe(claimed.length);
    const rest = await claim(database, 'replica-last', { limit: 20 });
    expect([...claimed, ...rest.map(lease => lease.releaseId)].sort()).toEqual([...ids].sort());
  });
});

describe('leases of two backends on PostgreSQL', () => {
  it('passes over releases that another backend is just claiming or settling', async () => {
    requirePostgres();
    const database = await migratedDatabase(POSTGRES);
    await createSome(database, ['r1', 'r2', 'r3']);
    await withOtherBackend(database, async other => {
      await database.transaction(async tx => {
        await tx('releases').where('id', 'r1').forUpdate();
        const claimed = await claim(other, 'replica-2', { limit: 2 });
        expect(claimed.map(lease => lease.releaseId)).toEqual(['r2', 'r3']);
      });
      expect(await claim(other, 'replica-2')).toMatchObject([{ releaseId: 'r1', ticket: 1 }]);
    });
  });

  it("goes by the database's clock, whatever the backends' own say", async () => {
    requirePostgres();
    const database = await migratedDatabase(POSTGRES);
    await createSome(database, ['r1']);
    const behind = { ...LEASE, clock: () => 0 };
    expect(await claimReleases(database, { ...behind, holder: 'replica-1' })).toHaveLength(1);
    const ahead = { ...LEASE, clock: () => Number.MAX_SAFE_INTEGER };
    expect(await claimReleases(database, { ...ahead, holder: 'replica-2' })).toEqual([]);
  });
});
