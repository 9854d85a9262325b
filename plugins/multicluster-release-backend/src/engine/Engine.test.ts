import { createRun, type Decision } from '../decide';
import { planOf } from '../decide/testing';
import type { Lease } from '../store/types';
import { Engine } from './Engine';
import type { EngineOptions, EngineStore } from './ports';

const NOW = 1_800_000_000_000;
const LEASE_MILLISECONDS = 60_000;

/** Timers that go off when the test says so, in their order. */
class ManualClock {
  time = NOW;
  private timers: { at: number; call: () => void }[] = [];

  now = () => this.time;

  after = (milliseconds: number, call: () => void) => {
    const timer = { at: this.time + milliseconds, call };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter(other => other !== timer);
    };
  };

  async pass(milliseconds: number): Promise<void> {
    const end = this.time + milliseconds;
    for (;;) {
      await settle();
      const [next] = this.timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!next) {
        break;
      }
      this.timers = this.timers.filter(timer => timer !== next);
      this.time = next.at;
      next.call();
    }
    this.time = end;
    await settle();
  }
}

const settle = () => new Promise(resolve => setImmediate(resolve));

/** Releases that wait for people: a turn of theirs changes nothing. */
class WaitingStore implements EngineStore {
  readonly turns: string[] = [];
  readonly renewed: string[][] = [];
  readonly revisions = new Map<string, number>();
  readonly lost = new Set<string>();
  controls = '0';
  asked = 0;
  private readonly free: string[];

  constructor(ids: string[]) {
    this.free = [...ids];
    ids.forEach(id => this.revisions.set(id, 1));
  }

  async claim({ holder, limit }: { holder: string; limit: number }): Promise<Lease[]> {
    return this.free
      .splice(0, limit)
      .map(releaseId => ({ releaseId, holder, ticket: 1, until: NOW + LEASE_MILLISECONDS }));
  }

  async renew(leases: Lease[]): Promise<Lease[]> {
    this.renewed.push(leases.map(({ releaseId }) => releaseId));
    return leases.filter(({ releaseId }) => !this.lost.has(releaseId));
  }

  async release(): Promise<void> {}

  async turn(lease: Lease): Promise<{ result: 'unchanged'; decision: Decision; revision: number }> {
    this.turns.push(lease.releaseId);
    const run = createRun({
      id: lease.releaseId,
      plan: planOf([{ clusters: ['a'] }]),
      sequence: 1,
      current: new Map(),
      acceptedRisks: new Map(),
      now: NOW,
    });
    const nothing = { effects: [], observe: [], events: [], halt: [] };
    const decision = { run, ...nothing, measure: [], measurements: [] };
    const revision = this.revisions.get(lease.releaseId) ?? 0;
    return { result: 'unchanged', decision, revision };
  }

  async news(ids: string[]) {
    this.asked += 1;
    const revisions = new Map(ids.map(id => [id, this.revisions.get(id) ?? 0]));
    return { revisions, controls: this.controls };
  }
}

function start(store: WaitingStore, maxReleases = 1_000) {
  const clock = new ManualClock();
  const engine = new Engine({
    store,
    measurer: { measure: async () => Promise.reject(new Error('nothing is measured here')) },
    hands: { observer: () => ({ watch: () => {}, latest: () => [], close: () => {} }) },
    clock,
    holder: 'h',
    leaseMilliseconds: LEASE_MILLISECONDS,
    pollMilliseconds: 1_000,
    maxReleases,
    timeScale: 1,
    freshMilliseconds: 30_000,
    onChange: () => {},
    onError: (_id: string, error: unknown) => {
      throw error;
    },
  } as unknown as EngineOptions);
  engine.start();
  return { engine, clock };
}

describe('Engine', () => {
  it('asks once a poll for all releases that wait, and takes no turn for them', async () => {
    const ids = Array.from({ length: 200 }, (_, index) => `r${index}`);
    const store = new WaitingStore(ids);
    const { engine, clock } = start(store);
    await clock.pass(1_000);
    const before = store.turns.length;
    store.asked = 0;
    await clock.pass(10_000);
    expect(store.turns.length).toBe(before);
    expect(store.asked).toBeLessThanOrEqual(11);
    await engine.stop();
  });

  it('takes on new releases however many wait, and no more at a time than it may work on', async () => {
    const store = new WaitingStore(['r1', 'r2', 'r3', 'r4', 'r5']);
    const { engine, clock } = start(store, 2);
    await settle();
    expect(engine.driving()).toEqual(['r1', 'r2']);
    await clock.pass(2_000);
    expect(engine.driving()).toEqual(['r1', 'r2', 'r3', 'r4', 'r5']);
    await engine.stop();
  });

  it('turns the one that somebody else has changed, and all when the platform orders something', async () => {
    const store = new WaitingStore(['r1', 'r2', 'r3']);
    const { engine, clock } = start(store);
    await clock.pass(2_000);
    store.turns.length = 0;
    store.revisions.set('r2', 2);
    await clock.pass(1_000);
    expect(store.turns).toEqual(['r2']);
    store.turns.length = 0;
    store.controls = '1';
    await clock.pass(1_000);
    expect([...store.turns].sort()).toEqual(['r1', 'r2', 'r3']);
    await engine.stop();
  });

  it('lets go of a release whose lease is lost, and keeps the others', async () => {
    const store = new WaitingStore(['r1', 'r2']);
    const { engine, clock } = start(store);
    await clock.pass(1_000);
    store.lost.add('r1');
    await clock.pass(LEASE_MILLISECONDS / 3);
    expect(engine.driving()).toEqual(['r2']);
    await clock.pass(LEASE_MILLISECONDS / 3);
    expect(store.renewed).toEqual([['r1', 'r2'], ['r2']]);
    await engine.stop();
  });
});
