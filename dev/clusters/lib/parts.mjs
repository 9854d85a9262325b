/**
 * The running parts of a data folder, known from the records in its run folder.
 */
import fs from 'node:fs';
import path from 'node:path';
import { dataPaths, ETCD, makeFolder, writeFile } from './dataFolder.mjs';
import { endRecorded, inspectRecorded, spawnDetached } from './processes.mjs';

/**
 * @typedef {object} Part
 * @property {string} cluster The cluster's name, or `etcd`.
 * @property {string} part
 * @property {import('./processes.mjs').ProcessRecord} record
 * @property {import('./processes.mjs').ProcessFacts} facts
 */

const LARGEST_LOG_BYTES = 20_000_000;

/**
 * @param {string} folder
 * @returns {Part[]} Those that run, or are frozen.
 */
export function findParts(folder) {
  const { run } = dataPaths(folder);
  return namesIn(run).flatMap(cluster =>
    namesIn(path.join(run, cluster))
      .filter(file => file.endsWith('.json'))
      .flatMap(file => findPart(folder, cluster, file.slice(0, -'.json'.length)) ?? []),
  );
}

/**
 * @param {string} folder
 * @param {string} cluster
 * @param {string} part
 * @returns {Part | undefined}
 */
export function findPart(folder, cluster, part) {
  let record;
  try {
    record = JSON.parse(fs.readFileSync(dataPaths(folder).record(cluster, part), 'utf8'));
  } catch {
    return undefined;
  }
  const facts = inspectRecorded(record);
  return facts && { cluster, part, record, facts };
}

/**
 * @param {string} folder
 * @param {{ cluster: string, part: string, binary: string, command: string[] }} what
 * @returns {Part}
 */
export function startPart(folder, { cluster, part, binary, command }) {
  const paths = dataPaths(folder);
  const logFile = paths.log(cluster, part);
  makeFolder(path.dirname(logFile));
  setLargeLogAside(logFile);
  const record = spawnDetached(binary, command, {
    logFile,
    folder,
    environment: partEnvironment(folder),
  });
  // At once: whoever kills us after this line can still find what we started.
  writeFile(paths.record(cluster, part), JSON.stringify(record));
  const facts = inspectRecorded(record);
  return {
    cluster,
    part,
    record,
    facts: facts ?? { ...record, state: 'running', memoryBytes: 0 },
  };
}

/**
 * Nothing of the user's: variables like ETCD_NAME or HTTPS_PROXY, or files in
 * the home folder, would change how the parts behave.
 */
function partEnvironment(/** @type {string} */ folder) {
  return {
    PATH: process.env.PATH,
    TMPDIR: process.env.TMPDIR,
    HOME: folder,
  };
}

function setLargeLogAside(/** @type {string} */ file) {
  if ((fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_LOG_BYTES) {
    fs.renameSync(file, `${file}.old`);
  }
}

/**
 * Ends parts and forgets them. Only etcd is asked: it writes its data to disk.
 * The others keep nothing, and asking them would take seconds.
 *
 * @param {string} folder
 * @param {Part[]} parts
 */
export async function endParts(folder, parts) {
  const others = parts.filter(({ cluster }) => cluster !== ETCD);
  const etcd = parts.filter(({ cluster }) => cluster === ETCD);
  await Promise.all(others.map(part => endPart(folder, part, 0)));
  await Promise.all(
    // A frozen process does not hear the question.
    etcd.map(part => endPart(folder, part, part.facts.state === 'frozen' ? 0 : 5)),
  );
}

/**
 * @param {string} folder
 * @param {Part} part
 * @param {number} graceSeconds
 */
async function endPart(folder, part, graceSeconds) {
  await endRecorded(part.record, { graceSeconds });
  fs.rmSync(dataPaths(folder).record(part.cluster, part.part), { force: true });
}

/** @returns {string} The end of a part's log, for error messages. */
export function endOfLog(/** @type {string} */ file, lines = 8) {
  try {
    return fs.readFileSync(file, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
  } catch {
    return '(no log)';
  }
}

function namesIn(/** @type {string} */ folder) {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}
