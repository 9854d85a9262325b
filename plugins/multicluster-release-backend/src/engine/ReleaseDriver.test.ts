import type { Effect, Outcome } from 'backstage-plugin-multicluster-release-node';
import { createRun } from '../decide';
import { planOf } from '../decide/testing';
import type { Lease } from '../store/types';
import type { EngineOptions, EngineStore } from './ports';
import { ReleaseDriver } from './ReleaseDriver';

const NOW = 1_800_000_000_000;
const LEASE: Lease = { releaseId: 'r', holder: 'h', ticket: 1, until: NOW + 60_000 };

/** A store whose transactions begin when the test says so, and hands whose effects end when it says so. */
function bench() {
  const turns: (() => void)[] = [];
  const performed: { effect: Effect; end(outcome: Outcome): void }[] = [];
  let run = createRun({
    id: 'r',
    plan: planOf([{ clusters: ['a'] }]),
    sequence: 2,
    current: new Map(),
    acceptedRisks: new Map(),
    now: NOW,
  });
  const store: Pick<EngineStore, 'turn'> = {
    async turn(_lease, turn) {
      await new Promise<void>(begin => turns.push(begin));
      const decision = turn({ run, revision: 1 }, {});
      run = decision.run;
      return { result: 'settled', decision, revision: 2 };
    },
  };
  const options = {
    store,
    hands: {
      perform: (effect: Effect) =>
        new Promise<Outcome>(end => {
          performed.push({ effect, end });
        }),
      observer: () => ({ watch: () => {}, latest: () => [], close: () => {} }),
    },
    clock: { now: () => NOW, after: () => () => {} },
    timeScale: 1,
    freshMilliseconds: 30_000,
    pollMilliseconds: 1_000,
    onChange: () => {},
    onError: (_id: string, error: unknown) => {
      throw error;
    },
  };
  const driver = new ReleaseDriver(LEASE, options as unknown as EngineOptions, () => {});
  const rest = () => new Promise(resolve => setImmediate(resolve));
  const begin = async () => {
    turns.shift()?.();
    await rest();
  };
  return { driver, performed, rest, begin };
}

it('performs an effect once that ends while a turn waits for its transaction', async () => {
  const { driver, performed, rest, begin } = bench();
  driver.wake();
  await begin();
  expect(performed.map(({ effect }) => effect.kind)).toEqual(['check']);

  driver.wake();
  performed[0].end({ result: 'done', data: { kind: 'check', inventory: [] } });
  await rest();
  await begin();
  await begin();
  expect(performed.map(({ effect }) => effect.kind)).toEqual(['check', 'apply']);
});
