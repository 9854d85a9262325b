/**
 * Running programs, and saying what runs.
 *
 * Every program gets a process group of its own, so that ending this process ends
 * all that it started and not only the first link of each chain.
 */
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { constants, setPriority } from 'node:os';

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

/**
 * @typedef {object} GroupWatcher
 * @property {(group: number) => void} onStart a process group was made
 * @property {(group: number) => void} onEnd its first process has ended
 */

/** @type {Set<GroupWatcher>} */
const watchers = new Set();

/** How long a program may take to end by itself after it was asked to. */
const GRACE_MILLISECONDS = 10_000;

/** How long what a program left behind may take to end. */
const LEFTOVER_MILLISECONDS = 2_000;

/**
 * @typedef {object} CommandOptions
 * @property {NodeJS.ProcessEnv} [env]
 * @property {string} [cwd]
 * @property {string} [logFile] all output goes here
 * @property {boolean} [quiet] do not show the output
 * @property {(text: string) => void} [onOutput] told each piece of output
 * @property {number} [niceness] 1 to 19: how far it stands back when others need the processor
 */

/**
 * @typedef {object} CommandEnd
 * @property {number} code exit code; 128 + signal number where a signal ended it
 * @property {number} milliseconds
 */

/**
 * Starts a program. The promise resolves when it ended, however it ended.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {CommandOptions} [options]
 * @returns {Promise<CommandEnd>}
 */
export function runCommand(command, args, options = {}) {
  const { env = process.env, cwd, logFile, quiet = false, onOutput, niceness } = options;
  const startedAt = Date.now();
  const child = spawn(command, args, {
    env,
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const group = child.pid;
  if (group) {
    watchers.forEach(watcher => watcher.onStart(group));
  }
  if (group && niceness) {
    standBack(group, niceness);
  }
  const log = logFile ? createWriteStream(logFile, { flags: 'a' }) : undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', chunk => {
      log?.write(chunk);
      onOutput?.(String(chunk));
      if (!quiet) {
        process.stdout.write(chunk);
      }
    });
  }
  return new Promise(resolve => {
    /** @param {number} code */
    const end = code => {
      running.delete(child);
      if (group) {
        watchers.forEach(watcher => watcher.onEnd(group));
      }
      const done = () => resolve({ code, milliseconds: Date.now() - startedAt });
      if (log) {
        log.end(done);
      } else {
        done();
      }
    };
    child.once('error', error => {
      const message = `${command}: ${error.message}\n`;
      log?.write(message);
      process.stderr.write(message);
      end(127);
    });
    /** @type {NodeJS.Timeout | undefined} */
    let leftover;
    child.once('exit', () => {
      // What it left behind in its group may hold our end of the output open for
      // ever; it ends with the program that started it.
      signalGroup(child, 'SIGTERM');
      leftover = setTimeout(() => {
        signalGroup(child, 'SIGKILL');
        child.stdout.destroy();
        child.stderr.destroy();
      }, LEFTOVER_MILLISECONDS);
    });
    child.once('close', (code, signal) => {
      clearTimeout(leftover);
      end(code ?? 128 + (constants.signals[signal ?? 'SIGTERM'] ?? 0));
    });
  });
}

/**
 * Whoever has to end programs when this process no longer can is told of each.
 *
 * @param {GroupWatcher} watcher
 */
export function watchGroups(watcher) {
  watchers.add(watcher);
}

/**
 * Asks everything that was started to end, and makes it end after a while.
 *
 * @param {number} [graceMilliseconds]
 */
export async function stopAll(graceMilliseconds = GRACE_MILLISECONDS) {
  const children = [...running];
  for (const child of children) {
    signalGroup(child, 'SIGTERM');
  }
  const ended = Promise.all(
    children.map(child => new Promise(resolve => child.once('close', resolve))),
  );
  const timer = setTimeout(
    () => children.forEach(child => signalGroup(child, 'SIGKILL')),
    graceMilliseconds,
  );
  await ended;
  clearTimeout(timer);
}

/**
 * Ends everything that was started when this process is asked to end.
 *
 * @param {() => Promise<void>} [alsoBefore] what else has to be put away
 * @param {number} [graceMilliseconds]
 */
export function stopAllOnSignals(alsoBefore = async () => {}, graceMilliseconds) {
  let stopping = false;
  /** @param {NodeJS.Signals} signal */
  const stop = async signal => {
    if (stopping) {
      return;
    }
    stopping = true;
    await Promise.all([stopAll(graceMilliseconds), alsoBefore()]);
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of /** @type {NodeJS.Signals[]} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, stop);
  }
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function signalGroup(child, signal) {
  try {
    process.kill(-(/** @type {number} */ (child.pid)), signal);
  } catch {
    // It ended meanwhile.
  }
}

/**
 * @param {number} pid
 * @param {number} niceness what it starts from now on inherits it
 */
function standBack(pid, niceness) {
  try {
    setPriority(pid, niceness);
  } catch {
    // It ended meanwhile, or the system does not allow it: only slower for others.
  }
}
