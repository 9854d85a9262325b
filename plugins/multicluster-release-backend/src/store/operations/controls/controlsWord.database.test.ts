import { describeOnEachDatabase } from '../../__testUtils__/eachDatabase';
import { NOON } from '../../__testUtils__/samples';
import { liftCordon } from '../cordons/liftCordon';
import { placeCordon } from '../cordons/placeCordon';
import { liftStop } from '../stops/liftStop';
import { placeStop } from '../stops/placeStop';
import { controlsWord } from './controlsWord';

const ADA = { by: 'user:default/ada', reason: 'a good reason' };

describeOnEachDatabase('controlsWord', open => {
  it('changes with every order and every end of one, and with nothing else', async () => {
    const database = await open();
    const words = [await controlsWord(database)];
    const note = async () => words.push(await controlsWord(database));
    const scope = { all: true } as const;
    await placeStop(database, { id: 's1', scope, allowRollback: false, ...ADA, now: NOON });
    await note();
    await liftStop(database, { id: 's1', ...ADA, now: NOON + 1 });
    await note();
    await database.transaction(tx =>
      placeCordon(tx, { id: 'c1', cluster: 'cluster-a', ...ADA, now: NOON }),
    );
    await note();
    await database.transaction(tx =>
      liftCordon(tx, { cluster: 'cluster-a', ...ADA, now: NOON + 1 }),
    );
    await note();
    expect(new Set(words).size).toBe(words.length);
    expect(await controlsWord(database)).toBe(words.at(-1));
  });
});
