/**
 * The program of the supervisor: node supervise.mjs FOLDER PARENT_PID PARENT_START_TIME
 */
import { setTimeout as delay } from 'node:timers/promises';
import { down } from './down.mjs';
import { findParts } from './parts.mjs';
import { endRecorded, inspectRecorded } from './processes.mjs';

const [folder, pid, startTime] = process.argv.slice(2);
const parent = { pid: Number(pid), startTime };

// A test may delete its folder before it ends, and the records with it.
/** @type {Map<number, import('./processes.mjs').ProcessRecord>} */
const seen = new Map();

function remember() {
  for (const { record } of findParts(folder)) {
    seen.set(record.pid, record);
  }
}

while (inspectRecorded(parent)) {
  remember();
  await delay(250);
}

// An `up` that is under way notices too, gives the lock back and has then
// started its last process; what it started is in the records.
await down(folder, []).catch(error => console.error(error));
await Promise.all([...seen.values()].map(record => endRecorded(record)));
