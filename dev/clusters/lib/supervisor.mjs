/**
 * The supervisor: a small process that waits for the end of another one, the
 * parent, and then ends everything in a data folder. Neither the parent nor the
 * `up` that started it can be relied on: both may be killed with -9.
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { dataPaths, makeFolder, writeFile } from './dataFolder.mjs';
import { endRecorded, inspectRecorded, spawnDetached } from './processes.mjs';

/** @typedef {import('./processes.mjs').ProcessRecord} ProcessRecord */

const PROGRAM = fileURLToPath(new URL('./supervise.mjs', import.meta.url));

/**
 * Starts a supervisor, unless this parent has one for this folder.
 *
 * @param {string} folder
 * @param {ProcessRecord} parent
 */
export async function ensureSupervisor(folder, parent) {
  const file = path.join(recordsFolder(folder), `${parent.pid}.json`);
  const existing = readRecord(file);
  if (existing?.parent.startTime === parent.startTime && inspectRecorded(existing.record)) {
    return;
  }
  makeFolder(path.dirname(file));
  const record = spawnDetached(
    process.execPath,
    [PROGRAM, folder, String(parent.pid), parent.startTime],
    {
      logFile: path.join(recordsFolder(folder), 'supervisor.log'),
      folder,
      // Without NODE_OPTIONS: a debugger or a hook of the test runner is not meant for it.
      environment: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, HOME: process.env.HOME },
    },
  );
  writeFile(file, JSON.stringify({ parent, record }));
}

/** @param {string} folder @returns {ProcessRecord[]} */
export function findSupervisors(folder) {
  return supervisorFiles(folder)
    .flatMap(file => readRecord(file)?.record ?? [])
    .filter(record => inspectRecorded(record));
}

/** All but this process, which may be one. */
export async function endSupervisors(/** @type {string} */ folder) {
  for (const file of supervisorFiles(folder)) {
    const record = readRecord(file)?.record;
    if (record && record.pid !== process.pid) {
      await endRecorded(record);
    }
    fs.rmSync(file, { force: true });
  }
}

function recordsFolder(/** @type {string} */ folder) {
  return path.join(dataPaths(folder).folder, 'supervisors');
}

/** @returns {string[]} */
function supervisorFiles(/** @type {string} */ folder) {
  try {
    return fs
      .readdirSync(recordsFolder(folder))
      .filter(name => name.endsWith('.json'))
      .map(name => path.join(recordsFolder(folder), name));
  } catch {
    return [];
  }
}

/** @returns {{ parent: ProcessRecord, record: ProcessRecord } | undefined} */
function readRecord(/** @type {string} */ file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
