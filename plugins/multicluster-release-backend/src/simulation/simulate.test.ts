import { Violation } from './checkers/violation';
import { drawScript, type Script } from './script';
import { shrink } from './shrink';
import { playScript } from './simulate';
import { World } from './World';

async function logOf(script: Script): Promise<string[]> {
  const log: string[] = [];
  await new World(script, log).run();
  return log;
}

describe('simulation', () => {
  afterEach(() => jest.restoreAllMocks());

  it('replays a seed exactly', async () => {
    const first = await logOf(drawScript(7));
    expect(first.length).toBeGreaterThan(20);
    expect(await logOf(drawScript(7))).toEqual(first);
  });

  it('shrinks what fails to what is needed for it', async () => {
    // A rule that every outage of this world breaks.
    const note = World.prototype.note;
    jest.spyOn(World.prototype, 'note').mockImplementation(function spy(this: World, text) {
      note.call(this, text);
      if (text.endsWith(': outage')) {
        throw new Violation('the sun always shines', text);
      }
    });
    const script = drawScript(2);
    script.moves.push({ at: 90_000, do: 'fault', fault: 'outage', on: 1, lasts: 5_000, value: 0 });
    const failure = await playScript(script);
    expect(failure).toMatchObject({ rule: 'the sun always shines' });
    const smallest = await shrink(failure!);
    expect(smallest.script.moves.map(move => move.do === 'fault' && move.fault)).toEqual([
      'outage',
    ]);
    expect(smallest.script.clusters).toHaveLength(1);
    expect(smallest.script.replicas).toBe(1);
  });
});
