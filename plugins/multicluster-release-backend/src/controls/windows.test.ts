import { execFileSync } from 'node:child_process';
import type { WindowSpec } from 'backstage-plugin-multicluster-release-common';
import { CronTime } from 'cron';
import { checkWindow, layersVerdict, nextOccurrence, occurrences, windowVerdict } from '.';

const HOUR = 3_600_000;
const at = (time: string) => Date.parse(time);

function allow(cron: string, hours: number, timeZone = 'UTC'): WindowSpec {
  return { kind: 'allow', cron, durationMilliseconds: hours * HOUR, timeZone };
}

function deny(cron: string, hours: number, timeZone = 'UTC'): WindowSpec {
  return { ...allow(cron, hours, timeZone), kind: 'deny' };
}

const W1 = deny('0 18 * * *', 1);
const W2 = allow('0 9 * * *', 3.5, 'Europe/London');
const W3 = allow('* 7-24 * * 0-6', 1, 'Europe/Amsterdam');

/** Whether this window is on. */
function isOn(window: WindowSpec, now: number): boolean {
  return windowVerdict([window], now).open === (window.kind === 'allow');
}

function list(window: WindowSpec, from: number, to: number, limit: number) {
  return occurrences(window, { from, to, limit }).times;
}

describe('the table of field case C47', () => {
  it.each([
    ['2026-06-23T18:13:00Z', W1, true],
    ['2026-06-23T18:13:00Z', W2, false],
    ['2026-06-23T19:00:00Z', W1, false],
    ['2026-06-23T19:00:00Z', W2, false],
    ['2026-01-15T09:00:00Z', W2, true],
    ['2026-01-15T12:29:00Z', W2, true],
    ['2026-01-15T12:30:00Z', W2, false],
    ['2026-07-15T07:59:00Z', W2, false],
    ['2026-07-15T08:00:00Z', W2, true],
    ['2026-07-15T11:30:00Z', W2, false],
  ])('%s', (time, window, on) => {
    expect(isOn(window, at(time))).toBe(on);
  });

  it('names the field and the value of hour 24', () => {
    expect(checkWindow(W3)).toEqual([
      {
        field: 'cron',
        message:
          'cron "* 7-24 * * 0-6" has the hour "7-24", and hour 24 does not exist; they go from 0 to 23',
      },
    ]);
  });

  it('takes a stored window that cannot be read for closed, and goes on', () => {
    const always = allow('* * * * *', 1);
    expect(windowVerdict([always, W3], at('2026-06-23T10:00:00Z'))).toEqual({
      open: false,
      window: W3,
      invalid: expect.stringContaining('hour 24'),
    });
    expect(list(W3, 0, at('2026-06-23T10:00:00Z'), 10)).toEqual([]);
  });

  it.each(['UTC', 'Asia/Shanghai', 'America/New_York', 'Australia/Lord_Howe'])(
    'is the same where the process runs with TZ=%s',
    TZ => {
      const windows = [W1, W2, allow('30 1 * * *', 1, 'Europe/Berlin')];
      const instants = Array.from({ length: 200 }, (_, i) => at('2026-03-28T00:00:00Z') + i * HOUR);
      const program = require.resolve('./__testUtils__/printVerdicts.ts');
      const transform = require.resolve('@backstage/cli-node/config/nodeTransform.cjs');
      const output = execFileSync(process.execPath, ['--require', transform, program], {
        env: { ...process.env, NODE_OPTIONS: '', TZ },
        input: JSON.stringify({ windows, instants }),
      });
      const { offset, verdicts } = JSON.parse(output.toString());
      expect(offset === 0).toBe(TZ === 'UTC');
      expect(verdicts).toEqual(instants.map(instant => windowVerdict(windows, instant)));
    },
    60_000,
  );
});

describe('several windows', () => {
  const WORK = allow('0 9 * * 1-5', 8, 'Asia/Shanghai');
  const FREEZE = deny('0 0 24 12 *', 72, 'Asia/Shanghai');

  it('are open where there are none', () => {
    expect(windowVerdict([], 0)).toEqual({ open: true });
  });

  it('are open inside of any allow, until the last one that goes on from there ends', () => {
    const later = allow('0 17 * * 1-5', 2, 'Asia/Shanghai');
    expect(windowVerdict([WORK, later], at('2026-11-30T02:00:00Z'))).toEqual({
      open: true,
      until: at('2026-11-30T11:00:00Z'),
    });
  });

  it('say when they open next, over the weekend', () => {
    expect(windowVerdict([WORK], at('2026-11-27T09:00:00Z'))).toEqual({
      open: false,
      window: WORK,
      opensAt: at('2026-11-30T01:00:00Z'),
    });
  });

  it('are closed where a deny and an allow meet, until both let it', () => {
    const thursday = at('2026-12-24T02:00:00Z');
    expect(windowVerdict([WORK, FREEZE], thursday)).toEqual({
      open: false,
      window: FREEZE,
      opensAt: at('2026-12-28T01:00:00Z'),
    });
    expect(windowVerdict([FREEZE], thursday)).toMatchObject({
      opensAt: at('2026-12-26T16:00:00Z'),
    });
  });

  it('close where a deny begins before the allow ends', () => {
    const lunch = deny('0 12 * * *', 1, 'Asia/Shanghai');
    expect(windowVerdict([WORK, lunch], at('2026-11-30T02:00:00Z'))).toEqual({
      open: true,
      until: at('2026-11-30T04:00:00Z'),
    });
  });

  it('never open where a deny covers every allow, and say no time', () => {
    const verdict = windowVerdict([WORK, deny('0 8 * * *', 12, 'Asia/Shanghai')], 0);
    expect(verdict).toMatchObject({ open: false });
    expect(verdict).toHaveProperty('opensAt', undefined);
  });
});

describe('windows of the platform and of a policy', () => {
  const PLATFORM = allow('0 9 * * *', 8);
  const POLICY = allow('0 14 * * *', 8);

  it.each([
    ['both open', '2026-11-30T15:00:00Z', { open: true, until: at('2026-11-30T17:00:00Z') }],
    [
      'only the platform',
      '2026-11-30T10:00:00Z',
      { open: false, window: POLICY, opensAt: at('2026-11-30T14:00:00Z') },
    ],
    [
      'only the policy: its allow does not open what the platform closes',
      '2026-11-30T18:00:00Z',
      { open: false, window: PLATFORM, opensAt: at('2026-12-01T14:00:00Z') },
    ],
    [
      'neither',
      '2026-11-30T23:00:00Z',
      { open: false, window: POLICY, opensAt: at('2026-12-01T14:00:00Z') },
    ],
  ])('%s', (_name, now, verdict) => {
    expect(layersVerdict([[PLATFORM], [POLICY]], at(now))).toEqual(verdict);
  });

  it('a layer without windows stands against nothing', () => {
    expect(layersVerdict([[], []], 0)).toEqual({ open: true });
    expect(layersVerdict([[], [POLICY]], at('2026-11-30T15:00:00Z'))).toMatchObject({ open: true });
    expect(layersVerdict([[PLATFORM], []], at('2026-11-30T18:00:00Z'))).toMatchObject({
      open: false,
    });
  });
});

describe('one window', () => {
  it('that is longer than its period is on without a gap', () => {
    const window = deny('0 * * * 1', 2);
    const monday = at('2026-11-30T00:00:00Z');
    expect(list(window, monday, monday + 7 * 24 * HOUR, 10)).toEqual([
      { from: monday, to: monday + 25 * HOUR },
    ]);
    expect(windowVerdict([window], monday + 5 * HOUR)).toMatchObject({
      opensAt: monday + 25 * HOUR,
    });
  });

  it('that is always on has no end, and one list of it is one entry', () => {
    const window = allow('* * * * *', 1);
    expect(windowVerdict([window], 0)).toEqual({ open: true, until: undefined });
    const found = list(window, 0, 30 * 24 * HOUR, 10);
    expect(found).toHaveLength(1);
    expect(found[0].to).toBeGreaterThanOrEqual(30 * 24 * HOUR);
  });

  it('lists no more than asked for, the one that has begun with its beginning', () => {
    expect(list(W1, at('2026-06-23T18:30:00Z'), at('2026-07-23T00:00:00Z'), 2)).toEqual([
      { from: at('2026-06-23T18:00:00Z'), to: at('2026-06-23T19:00:00Z') },
      { from: at('2026-06-24T18:00:00Z'), to: at('2026-06-24T19:00:00Z') },
    ]);
  });

  it('says whether the list is complete', () => {
    const year = { from: 0, to: 366 * 24 * HOUR };
    expect(occurrences(W1, { ...year, limit: 365 }).complete).toBe(false);
    expect(occurrences(W1, { ...year, limit: 366 }).complete).toBe(true);
    const always = occurrences(allow('* * * * *', 1 / 60), { ...year, limit: 10 });
    expect(always).toEqual({ times: [{ from: 0, to: expect.any(Number) }], complete: false });
  });

  it.each([
    ['that is on', W1, '2026-06-23T18:13:00Z', ['2026-06-23T18:00:00Z', '2026-06-23T19:00:00Z']],
    [
      'that will be on',
      W1,
      '2026-06-23T19:00:00Z',
      ['2026-06-24T18:00:00Z', '2026-06-24T19:00:00Z'],
    ],
    [
      'without an end',
      allow('* * * * *', 1),
      '2026-06-23T19:00:00Z',
      ['2026-06-23T18:01:00Z', undefined],
    ],
  ])('%s says its next time', (_name, window, now, [from, to]) => {
    expect(nextOccurrence(window, at(now))).toEqual({ from: at(from!), to: to && at(to) });
  });

  it('that cannot be read has no next time', () => {
    expect(nextOccurrence(W3, 0)).toBeUndefined();
  });

  it('on 29 February opens in leap years', () => {
    const [first] = list(
      allow('0 0 29 2 *', 24),
      at('2026-01-01T00:00:00Z'),
      at('2030-01-01T00:00:00Z'),
      9,
    );
    expect(first.from).toBe(at('2028-02-29T00:00:00Z'));
  });
});

describe('summer time', () => {
  const listed = (window: WindowSpec, from: string, to: string) =>
    list(window, at(from), at(to), 10).map(each => [
      new Date(each.from).toISOString().slice(5, 16),
      new Date(each.to).toISOString().slice(5, 16),
    ]);
  const spring = [`2026-03-28T12:00:00Z`, `2026-03-30T00:00:00Z`] as const;
  const autumn = [`2026-10-24T12:00:00Z`, `2026-10-26T00:00:00Z`] as const;

  it.each([
    // The clocks of Berlin go from 02:00 to 03:00 at 01:00 UTC.
    [
      'the hour that is left out opens at the jump',
      '30 2 * * *',
      1,
      spring,
      ['03-29T01:00', '03-29T02:00'],
    ],
    ['the hour after it', '0 3 * * *', 1, spring, ['03-29T01:00', '03-29T02:00']],
    ['the hour before it', '30 1 * * *', 0.5, spring, ['03-29T00:30', '03-29T01:00']],
    [
      'a window over the jump keeps its length',
      '0 22 * * 6',
      8,
      spring,
      ['03-28T21:00', '03-29T05:00'],
    ],
    // They go from 03:00 to 02:00 at 01:00 UTC.
    [
      'a window over the double hour keeps its length',
      '0 22 * * 6',
      8,
      autumn,
      ['10-24T20:00', '10-25T04:00'],
    ],
    ['the hour after the double one', '0 3 * * 0', 1, autumn, ['10-25T02:00', '10-25T03:00']],
  ])('%s', (_name, cron, hours, [from, to], expected) => {
    const found = listed(allow(cron, hours, 'Europe/Berlin'), from, to);
    expect(found[0]).toEqual(expected);
  });

  it('opens in both hours where the clocks show the time twice', () => {
    const window = allow('30 2 * * *', 0.25, 'Europe/Berlin');
    expect(listed(window, ...autumn)).toEqual([
      ['10-25T00:30', '10-25T00:45'],
      ['10-25T01:30', '10-25T01:45'],
    ]);
  });

  it('follows a zone whose clocks move by half an hour', () => {
    // Lord Howe: from 02:00 (+11) to 01:30 (+10:30) at 15:00 UTC on 4 April 2026.
    const window = allow('45 1 * * *', 0.25, 'Australia/Lord_Howe');
    expect(listed(window, '2026-04-04T12:00:00Z', '2026-04-05T00:00:00Z')).toEqual([
      ['04-04T14:45', '04-04T15:00'],
      ['04-04T15:15', '04-04T15:30'],
    ]);
  });

  it('agrees with the clock on the wall in every quarter of an hour of a year', () => {
    const clock = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'America/New_York',
      hourCycle: 'h23',
      hour: '2-digit',
      minute: '2-digit',
    });
    const window = allow('0 9 * * *', 8, 'America/New_York');
    const wrong: string[] = [];
    for (let now = at('2026-01-01T00:00:00Z'); now < at('2027-01-01T00:00:00Z'); now += HOUR / 4) {
      const time = clock.format(now);
      if (isOn(window, now) !== (time >= '09:00' && time < '17:00')) {
        wrong.push(new Date(now).toISOString());
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe('checkWindow', () => {
  it.each([
    ['0 9 * * 1-5', 'Asia/Shanghai', []],
    ['*/15 8-18 1,15 jan-jun mon', 'Europe/London', []],
    ['0 9 * *', 'UTC', ['has 4 fields']],
    ['0 0 9 * * 1', 'UTC', ['has 6 fields']],
    ['@daily', 'UTC', ['has 1 fields']],
    ['60 24 32 13 8', 'UTC', ['minute 60', 'hour 24', 'month 32', 'month 13', 'week 8']],
    ['0 nine * * *', 'UTC', ['hour "nine", which cannot be read']],
    ['0 9-7 * * *', 'UTC', ['hour "9-7", which cannot be read']],
    ['0 0 30 2 *', 'UTC', ['never comes']],
    ['0 9 * * *', 'Mars/Olympus', ['"Mars/Olympus" is not known']],
    ['0 9 * * *', 'UTC+8', ['"UTC+8" is not known']],
    ['0 25 * * *', 'Nowhere', ['hour 25', '"Nowhere" is not known']],
  ])('%s in %s', (cron, timeZone, parts) => {
    const messages = checkWindow(allow(cron, 1, timeZone)).map(({ message }) => message);
    expect(messages).toEqual(parts.map(part => expect.stringContaining(part)));
  });

  it('wants a length', () => {
    expect(checkWindow(allow('0 9 * * *', 0))).toMatchObject([{ field: 'durationMilliseconds' }]);
  });
});

describe('asked each second for a day', () => {
  it('searches only when a window changes', () => {
    const search = jest.spyOn(CronTime.prototype, 'getNextDateFrom');
    const windows = [allow('0 6 * * *', 2, 'Asia/Tokyo'), deny('0 7 * * *', 0.5, 'Asia/Tokyo')];
    const start = at('2026-05-01T00:00:00Z');
    const states = new Set<boolean>();
    for (let second = 0; second < 86_400; second++) {
      states.add(windowVerdict(windows, start + second * 1000).open);
    }
    expect(states).toEqual(new Set([true, false]));
    expect(search.mock.calls.length).toBeLessThan(100);
    search.mockRestore();
  });
});
