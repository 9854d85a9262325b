import { spawn } from 'node:child_process';
import { openSync, closeSync, readFileSync } from 'node:fs';

/**
 * A process that this harness started. Process ids are used again by the
 * system, so the start time stands beside it and is compared before any signal.
 * @typedef {{pid: number, startedAt: string}} OwnProcess
 */

/**
 * Starts a program that lives on when we end; its output goes to a file.
 * @param {string} program @param {string[]} args @param {string} logFile
 * @returns {OwnProcess}
 */
export function startDetached(program, args, logFile) {
  const log = openSync(logFile, 'a');
  const child = spawn(program, args, { detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  child.on('error', () => {});
  child.unref();
  if (child.pid === undefined) {
    throw new Error(`${program} ${args[0]} could not be started; see ${logFile}`);
  }
  return { pid: child.pid, startedAt: startTime(child.pid) ?? '' };
}

/** @param {OwnProcess | undefined} process */
export function isAlive(process) {
  return process !== undefined && startTime(process.pid) === process.startedAt;
}

/** Signals the process if it still is ours. @param {OwnProcess | undefined} own @param {NodeJS.Signals} name */
export function signal(own, name) {
  if (!own || !isAlive(own)) {
    return false;
  }
  try {
    process.kill(own.pid, name);
    return true;
  } catch {
    return false;
  }
}

/** Clock ticks since boot, field 22 of /proc/PID/stat; undefined where there is no such process, or only its corpse. */
export function startTime(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command, in parentheses, may itself contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/** SIGTERM, then SIGKILL after the given time. @param {OwnProcess | undefined} own */
export async function end(own, patienceMilliseconds = 5_000) {
  if (!signal(own, 'SIGTERM')) {
    return;
  }
  // A stopped process would never see the SIGTERM.
  signal(own, 'SIGCONT');
  const deadline = Date.now() + patienceMilliseconds;
  while (isAlive(own)) {
    if (Date.now() > deadline) {
      signal(own, 'SIGKILL');
    }
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}
