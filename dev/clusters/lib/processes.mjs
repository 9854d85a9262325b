/**
 * Processes by pid *and* start time. A pid alone is reused by the system: a
 * record from yesterday could name somebody's editor today, and be killed.
 */
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import { HarnessError } from './errors.mjs';
import { waitFor } from './waitFor.mjs';

/**
 * @typedef {object} ProcessRecord
 * @property {number} pid
 * @property {string} startTime Opaque; equal for the same process only.
 *
 * @typedef {object} ProcessFacts
 * @property {string} startTime
 * @property {'running' | 'frozen'} state
 * @property {number} memoryBytes Resident memory.
 */

const hasProc = fs.existsSync('/proc/self/stat');

/**
 * @param {number} pid
 * @returns {ProcessFacts | undefined} Undefined if there is no such process, or only its remains.
 */
export function inspectProcess(pid) {
  const facts = hasProc ? inspectThroughProc(pid) : inspectThroughPs(pid);
  return facts && !hasEnded(facts)
    ? {
        startTime: facts.startTime,
        state: facts.flag.startsWith('T') ? 'frozen' : 'running',
        memoryBytes: facts.memoryBytes,
      }
    : undefined;
}

/**
 * A zombie has ended and nobody has asked about it yet. But while threads of it
 * are still dying its sockets are open, and its port cannot be used again.
 *
 * @param {{ flag: string, threads: number }} facts
 */
function hasEnded({ flag, threads }) {
  return /^[ZX]/.test(flag) && threads <= 1;
}

/** @param {number} pid */
function inspectThroughProc(pid) {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name stands in parentheses and may hold spaces; fields are counted behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
    return {
      flag: fields[0],
      threads: Number(fields[17]),
      startTime: `${bootId()}:${fields[19]}`,
      memoryBytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024,
    };
  } catch {
    return undefined;
  }
}

/** Ticks count from the boot, so the same pid and ticks can come again after it. */
function bootId() {
  return fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}

/** @param {number} pid */
function inspectThroughPs(pid) {
  try {
    const line = execFileSync('ps', ['-o', 'state=,rss=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C' },
    }).trim();
    const [flag, kilobytes, ...started] = line.split(/\s+/);
    return {
      flag,
      threads: 1,
      startTime: started.join(' '),
      memoryBytes: Number(kilobytes) * 1024,
    };
  } catch {
    return undefined;
  }
}

/**
 * @param {ProcessRecord | undefined} record
 * @returns {ProcessFacts | undefined} Undefined if that very process is gone.
 */
export function inspectRecorded(record) {
  const facts = record && inspectProcess(record.pid);
  return facts?.startTime === record?.startTime ? facts : undefined;
}

/**
 * Sends a signal to that very process, and to no other that has its pid now.
 *
 * @param {ProcessRecord} record
 * @param {NodeJS.Signals} signal
 * @returns {boolean} Whether the process was there.
 */
export function signalRecorded(record, signal) {
  if (!inspectRecorded(record)) {
    return false;
  }
  try {
    process.kill(record.pid, signal);
    return true;
  } catch (error) {
    if (error.code === 'ESRCH') {
      return false;
    }
    throw error;
  }
}

/**
 * Ends a process and waits until it is gone.
 *
 * @param {ProcessRecord} record
 * @param {{ graceSeconds?: number }} [options] With a grace it is asked first, and killed after it.
 */
export async function endRecorded(record, { graceSeconds = 0 } = {}) {
  if (graceSeconds > 0 && signalRecorded(record, 'SIGTERM')) {
    const isGone = await waitFor(() => !inspectRecorded(record), {
      timeoutSeconds: graceSeconds,
      onTimeout: () => '',
    }).catch(() => false);
    if (isGone) {
      return;
    }
  }
  signalRecorded(record, 'SIGKILL');
  await waitFor(() => !inspectRecorded(record), {
    timeoutSeconds: 10,
    everyMilliseconds: 10,
    onTimeout: () => `process ${record.pid}: still there 10 s after SIGKILL; look at it with ps`,
  });
}

/**
 * Starts a process that lives on when this one ends.
 *
 * @param {string} command
 * @param {string[]} parameters
 * @param {{ logFile: string, folder: string, environment: NodeJS.ProcessEnv }} options
 * @returns {ProcessRecord}
 */
export function spawnDetached(command, parameters, options) {
  const log = fs.openSync(options.logFile, 'a', 0o600);
  const child = spawn(command, parameters, {
    cwd: options.folder,
    detached: true,
    env: options.environment,
    stdio: ['ignore', log, log],
  });
  fs.closeSync(log);
  // Without a listener a failed start would end this process.
  child.on('error', () => {});
  child.unref();
  const startTime = child.pid && inspectProcess(child.pid)?.startTime;
  if (!child.pid || !startTime) {
    throw new HarnessError(`${command}: could not be started; see ${options.logFile}`);
  }
  return { pid: child.pid, startTime };
}

/** @returns {ProcessRecord} */
export function recordOf(/** @type {number} */ pid) {
  const facts = inspectProcess(pid);
  if (!facts) {
    throw new HarnessError(
      `process ${pid}: not running; give the pid of a running process to --parent-pid`,
    );
  }
  return { pid, startTime: facts.startTime };
}
