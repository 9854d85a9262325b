import type { ObserveRequest, Observer } from 'backstage-plugin-multicluster-release-node';
import type { RunningRecord } from '../store';
import { LiveHealth } from './LiveHealth';

const record = (cluster: string, digest?: string): RunningRecord => ({
  service: 'component:default/checkout',
  cluster,
  namespace: 'production',
  digest,
  releaseId: 'r',
  inventory: [],
});

class ScriptedHands {
  readonly open: { requests: ObserveRequest[]; closed: boolean }[] = [];

  observer(): Observer {
    const state = { requests: [] as ObserveRequest[], closed: false };
    this.open.push(state);
    return {
      watch: requests => {
        state.requests = requests;
      },
      latest: () =>
        state.requests.map(({ key }) => ({
          key,
          at: 1,
          reachable: true,
          clusterState: 'ok' as const,
          health: { state: 'Healthy' as const },
        })),
      close: () => {
        state.closed = true;
      },
    };
  }
}

class ManualTiming {
  time = 0;
  private timers: { at: number; callback: () => void }[] = [];

  now = () => this.time;
  random = () => 0;

  after = (milliseconds: number, callback: () => void) => {
    const timer = { at: this.time + milliseconds, callback };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter(other => other !== timer);
    };
  };

  pass(milliseconds: number) {
    const end = this.time + milliseconds;
    for (;;) {
      const [next] = this.timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!next) {
        this.time = end;
        return;
      }
      this.timers = this.timers.filter(other => other !== next);
      this.time = next.at;
      next.callback();
    }
  }
}

describe('live health', () => {
  it('watches what runs of a service while somebody looks, and stops afterwards', () => {
    const hands = new ScriptedHands();
    const timing = new ManualTiming();
    const live = new LiveHealth(hands, timing);
    const service = 'component:default/checkout';
    const seen = live.latest(service, [record('a', 'd1'), record('b')]);
    expect([...seen.keys()]).toEqual(['a/production']);
    timing.pass(100_000);
    live.latest(service, [record('a', 'd2')]);
    timing.pass(100_000);
    expect(hands.open).toMatchObject([{ closed: false, requests: [{ digest: 'd2' }] }]);
    timing.pass(60_000);
    expect(hands.open[0].closed).toBe(true);
    live.latest(service, [record('a', 'd2')]);
    expect(hands.open).toHaveLength(2);
    live.close();
    expect(hands.open[1].closed).toBe(true);
  });
});
