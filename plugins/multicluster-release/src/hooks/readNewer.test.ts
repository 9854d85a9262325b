import { exampleMeasurement } from '../testing';
import { MOST_READINGS, readNewer, type ReadPage } from './readNewer';

const upTo = (count: number) =>
  Array.from({ length: count }, (_, i) => exampleMeasurement({ id: i + 1 }));

/** A server with readings 1 to `count`. */
function serverWith(count: number) {
  const asked: (number | undefined)[] = [];
  const readPage: ReadPage = async ({ before = Infinity, limit }) => {
    asked.push(before === Infinity ? undefined : before);
    return upTo(count)
      .filter(({ id }) => id < before)
      .slice(-limit);
  };
  return { readPage, asked };
}

const ids = (readings: { id: number }[]) => readings.map(({ id }) => id);

describe('readNewer', () => {
  it('reads all, oldest first, with as many pages as it takes', async () => {
    const { readPage, asked } = serverWith(1_200);
    expect(await readNewer(readPage, [])).toEqual(upTo(1_200));
    expect(asked).toEqual([undefined, 701, 201]);
  });

  it('reads one page where it knows the rest', async () => {
    const { readPage, asked } = serverWith(1_203);
    expect(await readNewer(readPage, upTo(1_200))).toEqual(upTo(1_203));
    expect(asked).toEqual([undefined]);
  });

  it('gives back the very same list where nothing has come', async () => {
    const known = upTo(3);
    expect(await readNewer(serverWith(3).readPage, known)).toBe(known);
  });

  it('keeps the newest only, and ends there', async () => {
    const { readPage, asked } = serverWith(3_000);
    const found = await readNewer(readPage, []);
    expect([found.length, found[0].id]).toEqual([MOST_READINGS, 1_001]);
    expect(asked).toHaveLength(4);
    expect(ids(await readNewer(serverWith(3_001).readPage, found)).slice(0, 2)).toEqual([
      1_002, 1_003,
    ]);
  });

  it('forgets what it knew where it could not catch up: no hole is drawn as a line', async () => {
    expect(ids(await readNewer(serverWith(9_000).readPage, upTo(10)))[0]).toBe(7_001);
  });
});
