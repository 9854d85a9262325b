import { World } from './World';

const FIRST = Number(process.env.SIMULATION_FIRST ?? 1);
const SEEDS = Number(process.env.SIMULATION_SEEDS ?? 300);

async function failureOf(seed: number): Promise<string | undefined> {
  const world = new World(seed);
  try {
    await world.run();
    return undefined;
  } catch (error) {
    return `seed ${seed}: ${error}\n  ${world.log.slice(-25).join('\n  ')}`;
  }
}

describe('releases over a troubled fleet', () => {
  it(`keeps every rule and ends, for ${SEEDS} seeds from ${FIRST}`, async () => {
    const failures: string[] = [];
    for (let seed = FIRST; seed < FIRST + SEEDS && failures.length < 3; seed++) {
      failures.push(...[await failureOf(seed)].filter(failure => failure !== undefined));
    }
    expect(failures).toEqual([]);
  }, 600_000);

  it('replays a seed exactly', async () => {
    const [first, second] = [new World(7), new World(7)];
    await first.run();
    await second.run();
    expect(first.log.length).toBeGreaterThan(5);
    expect(second.log).toEqual(first.log);
  });
});
