import type { Knex } from 'knex';
import type { ReleaseRun } from '../../../decide/types';
import {
  describeOnEachDatabase,
  migratedDatabase,
  POSTGRES,
  requirePostgres,
} from '../../__testUtils__/eachDatabase';
import { waitUntilBlocked, withOtherBackend } from '../../__testUtils__/otherBackend';
import {
  NOON,
  sampleEvent,
  samplePlan,
  sampleRelease,
  startedRelease,
} from '../../__testUtils__/samples';
import type { IdempotencyKey, LoadedRun } from '../../types';
import { listEvents } from '../events/listEvents';
import { changeRun } from './changeRun';
import { createRelease } from './createRelease';
import { findRelease } from './findRelease';
import { loadRun } from './loadRun';
import { loadRuns } from './loadRuns';
import { readRevisions } from './readRevisions';
import { runTurn } from './runTurn';
import { settleRun } from './settleRun';

const key: IdempotencyKey = {
  scope: 'user:default/ada',
  key: 'click-1',
  bodyHash: 'abc',
};

const promote = ({ run }: LoadedRun) => ({
  run: { ...run, stage: run.stage + 1 },
  events: [sampleEvent('Promoted', { actor: 'user:default/ada' })],
});

const fleet = (names: string[]) => ({
  clusters: names.map(name => ({ name, groups: [] })),
  left: [],
});

describeOnEachDatabase('changeRun', open => {
  it('writes a command with its events, and raises the revision', async () => {
    const database = await open();
    await createRelease(database, sampleRelease({ id: 'r1' }));
    expect(await changeRun(database, 'r1', promote, { now: NOON })).toEqual({
      result: 'changed',
      revision: 2,
    });
    expect((await loadRuns(database, ['r1'])).get('r1')?.run.stage).toBe(1);
    expect(await readRevisions(database, ['r1', 'none'])).toEqual(new Map([['r1', 2]]));
    const events = await listEvents(database, { releaseId: 'r1', limit: 10 });
    expect(events.at(-1)).toMatchObject({
      code: 'Promoted',
      actor: 'user:default/ada',
    });
  });

  it('writes nothing when the command refuses, and does not use up the key', async () => {
    const database = await open();
    await createRelease(database, sampleRelease({ id: 'r1' }));
    const options = { now: NOON, idempotency: key };
    const refuse = () => ({ refusal: 'StageMoved' });
    expect(await changeRun(database, 'r1', refuse, options)).toEqual({
      result: 'refused',
      refusal: 'StageMoved',
    });
    expect(await changeRun(database, 'r1', promote, options)).toMatchObject({
      result: 'changed',
    });
  });

  it('counts presses at once as one where they carry one key, and keeps all others', async () => {
    const database = await open();
    await createRelease(database, sampleRelease({ id: 'r1' }));
    const clicks = [key, key, { ...key, key: 'click-2' }].map(idempotency =>
      changeRun(database, 'r1', promote, { now: NOON, idempotency }),
    );
    const results = (await Promise.all(clicks)).map(({ result }) => result);
    expect(results.sort()).toEqual(['changed', 'changed', 'repeated']);
    expect((await loadRuns(database, ['r1'])).get('r1')?.run.stage).toBe(2);
    const other = { now: NOON, idempotency: { ...key, bodyHash: 'other' } };
    await expect(changeRun(database, 'r1', promote, other)).rejects.toMatchObject({
      name: 'ConflictError',
      code: 'IdempotencyKeyReused',
    });
  });

  it('says by name which release does not exist', async () => {
    const database = await open();
    await expect(changeRun(database, 'gone', promote, { now: NOON })).rejects.toThrow(
      'Release gone does not exist',
    );
  });

  it('loses no press while turns of the engine and starts of the service come between', async () => {
    const database = await open();
    const lease = await startedRelease(database, { id: 'r1' });
    const lengthen = (run: ReleaseRun): ReleaseRun => ({
      ...run,
      waiting: [
        ...run.waiting,
        { code: 'soak', params: {}, message: 'x', since: 1, blocking: true },
      ],
    });
    const rounds = Array.from({ length: 8 }, (_, round) => [
      changeRun(database, 'r1', promote, { now: NOON }),
      runTurn(database, {
        lease,
        clock: () => NOON,
        fleet,
        reselect: async () => ({ untrusted: 'nobody has looked' }),
        turn: ({ run }) => ({
          run: lengthen(run),
          effects: [],
          observe: [],
          events: [],
          halt: [],
          measure: [],
          measurements: [],
        }),
      }),
      createRelease(database, sampleRelease({ id: `next-${round}` })),
    ]);
    await Promise.all(rounds.flat());
    const loaded = (await loadRuns(database, ['r1'])).get('r1');
    expect(loaded?.run.stage).toBe(8);
    expect(loaded?.run.waiting).toHaveLength(8);
    expect(loaded?.revision).toBe(17);
    expect(loaded?.run.lastSequence).toBe(9);
  });
});

describe('commands of two backends on PostgreSQL', () => {
  const turns = [
    ['a command', (other: Knex) => changeRun(other, 'r1', promote, { now: NOON })],
    ['a start', (other: Knex) => createRelease(other, sampleRelease({ id: 'r2' }))],
  ] as const;

  it.each(turns)(
    '%s waits for a turn that is being settled, and then sees it',
    async (_name, act) => {
      requirePostgres();
      const database = await migratedDatabase(POSTGRES);
      const lease = await startedRelease(database, { id: 'r1' });
      await withOtherBackend(database, async other => {
        let acting: Promise<unknown> = Promise.resolve();
        await database.transaction(async tx => {
          const before = await loadRun(tx, 'r1', { lease, clock: () => NOON });
          if (before === undefined || before === 'claimLost') {
            throw new Error('not claimed');
          }
          acting = act(other);
          await waitUntilBlocked(tx);
          const plan = samplePlan({ id: 'r1' }, 2);
          const { run } = before;
          const plans = [...run.plans, plan];
          const sequences = { ...run.sequences, 2: run.lastSequence + 1 };
          const turned = {
            ...run,
            stage: 4,
            plans,
            sequences,
            lastSequence: run.lastSequence + 1,
          };
          await settleRun(tx, {
            lease,
            before,
            run: turned,
            events: [],
            now: NOON,
          });
        });
        await acting;
      });
      const runs = await loadRuns(database, ['r1', 'r2']);
      const stage = runs.has('r2') ? 4 : 5;
      expect(runs.get('r1')?.run).toMatchObject({
        stage,
        sequences: { 1: 1, 2: 2 },
      });
      expect(runs.get('r2')?.run.sequences ?? { 1: 3 }).toEqual({ 1: 3 });
    },
  );

  it('starts behind nobody when the active release ends while the start waits', async () => {
    requirePostgres();
    const database = await migratedDatabase(POSTGRES);
    await createRelease(database, sampleRelease({ id: 'r1' }));
    await withOtherBackend(database, async other => {
      let starting: Promise<unknown> = Promise.resolve();
      await database.transaction(async tx => {
        await loadRun(tx, 'r1');
        starting = createRelease(other, sampleRelease({ id: 'r2' }));
        await waitUntilBlocked(tx);
        await tx('releases').where('id', 'r1').update({ state: 'Succeeded' });
      });
      await starting;
    });
    expect((await findRelease(database, 'r2'))?.queuedBehind).toBeUndefined();
  });
});
