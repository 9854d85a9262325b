import type { WindowSpec } from 'backstage-plugin-multicluster-release-common';
import { CronTime } from 'cron';
import { IANAZone } from 'luxon';
import { cronFaults } from './cronField';
import { nextOpening, type Schedule } from './openings';

/** What is wrong with one field of a window. */
export interface WindowFault {
  field: 'cron' | 'durationMilliseconds' | 'timeZone';
  /** With the field, the value and what may stand there. */
  message: string;
}

type Times = Pick<WindowSpec, 'cron' | 'durationMilliseconds' | 'timeZone'>;

export type CompiledWindow = { schedule: Schedule } | { faults: WindowFault[] };

/** Asked in every turn of every release; windows are few. */
const compiled = new Map<string, CompiledWindow>();
const MAX_COMPILED = 1_000;

/** Reads a window's times; what it says never depends on when it is asked. */
export function compileWindow(window: Times): CompiledWindow {
  const { cron, durationMilliseconds, timeZone } = window;
  const key = JSON.stringify([cron, durationMilliseconds, timeZone]);
  const known = compiled.get(key);
  if (known) {
    return known;
  }
  if (compiled.size >= MAX_COMPILED) {
    compiled.clear();
  }
  const faults = timesFaults(window);
  const result = faults.length > 0 ? { faults } : { schedule: scheduleOf(window) };
  compiled.set(key, result);
  return result;
}

/** Every fault of a window, with field and value; empty: it can be stored. */
export function checkWindow(window: Times): WindowFault[] {
  const result = compileWindow(window);
  return 'faults' in result ? result.faults : [];
}

function scheduleOf({ cron, timeZone }: Times): Schedule {
  return { cron: new CronTime(cron), zone: IANAZone.create(timeZone) };
}

function timesFaults(window: Times): WindowFault[] {
  const { cron, durationMilliseconds, timeZone } = window;
  const faults: WindowFault[] = cronFaults(cron).map(what => ({
    field: 'cron',
    message: `cron ${JSON.stringify(cron)} ${what}`,
  }));
  if (!(durationMilliseconds > 0)) {
    const message = `durationMilliseconds is ${durationMilliseconds}; it must be above zero`;
    faults.push({ field: 'durationMilliseconds', message });
  }
  if (!IANAZone.isValidZone(timeZone)) {
    const message = `timeZone ${JSON.stringify(
      timeZone,
    )} is not known; write an IANA name such as Asia/Shanghai`;
    faults.push({ field: 'timeZone', message });
  }
  if (faults.length === 0 && nextOpening(scheduleOf(window), LONG_AGO) === undefined) {
    const message = `cron ${JSON.stringify(cron)} never comes; correct its day or its month`;
    faults.push({ field: 'cron', message });
  }
  return faults;
}

/** What comes at all has come since: 2000 is a leap year that begins on a Saturday. */
const LONG_AGO = Date.UTC(2000, 0, 1);
