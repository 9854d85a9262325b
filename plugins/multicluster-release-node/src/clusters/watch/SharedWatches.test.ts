import { HttpClusterClient } from '../HttpClusterClient';
import { CountingTransport } from '../testing/CountingTransport';
import { eventually } from '../testing/eventually';
import { FaultLogger } from '../testing/FaultLogger';
import { ManualTiming } from '../testing/ManualTiming';
import { ScriptedApiServer } from '../testing/ScriptedApiServer';
import { DirectTransport } from '../transport/DirectTransport';
import { StaticCredential } from '../transport/StaticCredential';
import type { WatchChange, WatchHandle, WatchState } from '../types';
import { SILENCE_MILLISECONDS } from './StreamGuard';

// Real sockets, files and modules on a machine that may be busy.
jest.setTimeout(60_000);

const MINUTE = 60_000;

interface Witness {
  handle: WatchHandle;
  changes: string[];
  states: { phase: WatchState['phase']; at: number }[];
}

/** Field case C22, on a scripted server and a simulated clock. */
describe('a watch', () => {
  let timing: ManualTiming;
  let server: ScriptedApiServer;
  let transport: CountingTransport;
  let client: HttpClusterClient;
  const logger = new FaultLogger();

  function connect(port: number) {
    transport = new CountingTransport(
      new DirectTransport({
        server: `http://127.0.0.1:${port}`,
        credentials: new StaticCredential({ headers: {} }),
      }),
      timing,
    );
    client = new HttpClusterClient({
      name: 'cluster-a',
      transport,
      timing,
      logger,
    });
  }

  function watch(onChange: (change: WatchChange) => void = () => {}): Witness {
    const witness: Omit<Witness, 'handle'> = { changes: [], states: [] };
    const handle = client.watch(
      { path: server.collection },
      {
        onChanges: changes => {
          for (const change of changes) {
            witness.changes.push(`${change.type} ${change.object.metadata.name}`);
            onChange(change);
          }
        },
        onState: ({ phase }) => witness.states.push({ phase, at: timing.now() }),
      },
    );
    return { ...witness, handle };
  }

  const listsAndWatches = () =>
    server.seen.map(({ kind, resourceVersion }) =>
      resourceVersion ? `${kind} ${resourceVersion}` : kind,
    );

  const noteOf = (handle: WatchHandle, name: string) =>
    handle.objects().find(object => object.metadata.name === name)?.metadata.annotations?.note;

  beforeEach(async () => {
    timing = new ManualTiming();
    server = new ScriptedApiServer();
    connect(await server.listen());
  });

  afterEach(async () => {
    await client.close();
    await server.close();
    logger.assertNoFaults();
  });

  it('lists, then follows changes and deletions', async () => {
    server.put('a', 'one');
    const { handle, changes } = watch();
    await eventually('the stream is open', () => server.openWatches === 1);
    server.put('a', 'two');
    server.put('b', 'one');
    server.remove('a');
    await eventually('the deletion arrives', () => changes.includes('deleted a'));
    expect(changes).toEqual(['added a', 'modified a', 'added b', 'deleted a']);
    expect(handle.objects()).toEqual([
      expect.objectContaining({ apiVersion: 'apps/v1', kind: 'Deployment' }),
    ]);
    expect(listsAndWatches()).toEqual(['list', 'watch 101']);
  });

  it('finds a half-open connection by its silence, shows it as stale, and lists again', async () => {
    server.put('a', 'Healthy');
    const { handle, states } = watch();
    await eventually('the stream is open', () => server.openWatches === 1 && states.length === 1);
    timing.advance(2_000);
    server.goSilent();
    timing.advance(8_000);
    server.put('a', 'Failed');
    timing.advance(SILENCE_MILLISECONDS);
    await eventually('it is stale', () => handle.state().phase === 'stale');
    expect(handle.state().error).toMatchObject({ kind: 'timeout', cluster: 'cluster-a' });
    expect(handle.state().staleSince).toBe(0);
    expect(timing.now()).toBeLessThanOrEqual(6 * MINUTE);
    server.speakAgain();
    timing.advance(1_000);
    await eventually('the list shows it', () => noteOf(handle, 'a') === 'Failed');
    expect(states.map(state => state.phase)).toEqual(['live', 'stale', 'live']);
    expect(timing.now()).toBeLessThanOrEqual(6 * MINUTE);
  });

  it('answers a 410 inside a good stream with a list without a version, and watches at the old version once', async () => {
    const { handle } = watch();
    await eventually('the stream is open', () => server.openWatches === 1);
    timing.advance(1_000);
    server.sendLine({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } });
    server.endStreams();
    await eventually('it is stale', () => handle.state().phase === 'stale');
    expect(handle.state().error).toMatchObject({ kind: 'gone' });
    server.put('a', 'new');
    timing.advance(2_000);
    await eventually(
      'a new stream is open',
      () => server.openWatches === 1 && server.seen.length === 4,
    );
    expect(listsAndWatches()).toEqual(['list', 'watch 100', 'list', 'watch 101']);
  });

  it('tells of what was deleted while nobody listened', async () => {
    server.put('a', 'one');
    server.put('b', 'one');
    const { handle, changes } = watch();
    await eventually('the stream is open', () => server.openWatches === 1);
    timing.advance(5_000);
    server.endStreams();
    await eventually('the stream has ended', () => handle.state().phase === 'stale');
    timing.advance(1_000);
    server.remove('b');
    timing.advance(2_000);
    await eventually('the deletion is told', () => changes.includes('deleted b'));
    expect(changes).toEqual(['added a', 'added b', 'deleted b']);
    expect(handle.objects().map(object => object.metadata.name)).toEqual(['a']);
  });

  it('follows a stream that ended as agreed at once, without being stale', async () => {
    const { states } = watch();
    await eventually('the stream is open', () => server.openWatches === 1);
    timing.advance(100_000);
    server.endStreams();
    await eventually('a new stream is open', () => server.seen.length === 4);
    expect(states.map(state => state.phase)).toEqual(['live']);
  });

  it('ends a stream that the server does not end', async () => {
    const { handle, states } = watch();
    await eventually('the stream is open', () => server.openWatches === 1);
    for (let minute = 1; minute <= 5; minute += 1) {
      server.put('a', `minute ${minute}`);
      await eventually('it is heard', () => noteOf(handle, 'a') === `minute ${minute}`);
      timing.advance(MINUTE);
    }
    await eventually('a second stream is open', () => server.seen.length === 4);
    expect(listsAndWatches()).toEqual(['list', 'watch 100', 'list', 'watch 105']);
    expect(states.map(state => state.phase)).toEqual(['live']);
  });

  it('asks a server that is down at most 12 times a minute, and is back with one stream', async () => {
    const place = new ScriptedApiServer();
    const port = await place.listen();
    await place.close();
    await client.close();
    connect(port);
    const { handle } = watch();
    const hasFailed = () => handle.state().phase === 'stale' && transport.underWay === 0;
    while (timing.now() < 2 * MINUTE) {
      await eventually('the try has failed', hasFailed);
      await settled();
      timing.advanceToNext();
    }
    expect(mostInAnyMinute(transport.sentAt)).toBeLessThanOrEqual(12);
    expect(transport.sentAt.length).toBeGreaterThan(5);
    const back = new ScriptedApiServer();
    await back.listen(port);
    await eventually('the try has ended', () => transport.underWay === 0);
    await settled();
    if (handle.state().phase !== 'live') {
      timing.advanceToNext();
    }
    await eventually(
      'a stream is open',
      () => back.openWatches === 1 && handle.state().phase === 'live',
    );
    expect(back.openWatches).toBe(1);
    await client.close();
    await back.close();
  });

  it('shares one stream among equal watches, greets late ones, and ends it with the last', async () => {
    server.put('a', 'one');
    const first = watch();
    const second = watch();
    await eventually('both know', () => second.changes.length === 1 && first.changes.length === 1);
    await eventually('the stream is open', () => server.openWatches === 1);
    const late = watch();
    await eventually('the late one knows', () => late.changes.length === 1);
    expect(late.states.map(state => state.phase)).toEqual(['live']);
    expect(server.seen).toHaveLength(2);
    first.handle.close();
    first.handle.close();
    second.handle.close();
    server.put('b', 'one');
    await eventually('the late one hears', () => late.changes.includes('added b'));
    expect(first.changes).toEqual(['added a']);
    late.handle.close();
    await eventually('the stream has ended', () => server.openWatches === 0);
  });

  it('does not let a handler that throws cost another its events', async () => {
    server.put('a', 'one');
    watch(() => {
      throw new Error('fault of the test');
    });
    const { changes } = watch();
    await eventually('the other is told', () => changes.includes('added a'));
    await eventually('the fault is told', () => logger.faults.length > 0);
    expect(logger.faults.splice(0)).toEqual(['cluster-a: a handler of a watch failed']);
  });
});

/** Lets promises that are due run. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    await new Promise(resolve => setImmediate(resolve));
  }
}

function mostInAnyMinute(times: number[]): number {
  return Math.max(
    ...times.map(start => times.filter(time => time >= start && time < start + MINUTE).length),
  );
}
