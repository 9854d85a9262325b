import type { ReleaseRun } from '../../../decide/types';
import { describeOnEachDatabase } from '../../__testUtils__/eachDatabase';
import {
  NOON,
  sampleEvent,
  sampleRelease,
  startedRelease,
} from '../../__testUtils__/samples';
import type { IdempotencyKey, LoadedRun } from '../../types';
import { listEvents } from '../events/listEvents';
import { changeRun } from './changeRun';
import { createRelease } from './createRelease';
import { loadRuns } from './loadRuns';
import { readRevisions } from './readRevisions';
import { runTurn } from './runTurn';

const key: IdempotencyKey = {
  scope: 'user:default/ada',
  key: 'click-1',
  bodyHash: 'abc',
};

const promote = ({ run }: LoadedRun) => ({
  run: { ...run, stage: run.stage + 1 },
  events: [sampleEvent('Promoted', { actor: 'user:default/ada' })],
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
    expect(await readRevisions(database, ['r1', 'none'])).toEqual(
      new Map([['r1', 2]]),
    );
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
    await expect(
      changeRun(database, 'r1', promote, other),
    ).rejects.toMatchObject({
      name: 'ConflictError',
      code: 'IdempotencyKeyReused',
    });
  });

  it('says by name which release does not exist', async () => {
    const database = await open();
    await expect(
      changeRun(database, 'gone', promote, { now: NOON }),
    ).rejects.toThrow('Release gone does not exist');
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
        turn: ({ run }) => ({
          run: lengthen(run),
          effects: [],
          observe: [],
          events: [],
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
