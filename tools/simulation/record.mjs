/**
 * Records histories: `record.mjs <label>` plays each script and writes
 * `<name>.<label>.json` beside the others. One that is there is never written over:
 * it says how that version went.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HistoryRecorder } from './HistoryRecorder.mjs';
import { HISTORY_SCRIPTS } from './historyScripts.mjs';
import { loadSources, ROOT, SIMULATION } from './loadSources.mjs';

const FOLDER = join(
  ROOT,
  'plugins/multicluster-release-backend/src/simulation/histories/__fixtures__',
);

const [label] = process.argv.slice(2);
if (!/^[\w.-]+$/.test(label ?? '')) {
  throw new Error('Say a label for the new histories, for example the version: record.mjs 0.2.0');
}

mkdirSync(FOLDER, { recursive: true });
for (const { name, of, script } of HISTORY_SCRIPTS) {
  const recorder = new HistoryRecorder(of);
  const { playScript } = loadSources(SIMULATION, {
    onLoad: (path, exports) => recorder.onLoad(path, exports),
  });
  const failure = await playScript(script);
  if (failure) {
    throw new Error(`${name}: ${failure.message}`);
  }
  const history = recorder.history(`${name} (${label})`);
  const file = join(FOLDER, `${name}.${label}.json`);
  writeFileSync(file, `${textOf(history)}\n`, { flag: 'wx' });
  console.log(`${name}: ${history.steps.length} steps, ${history.end.state}`);
}

/** One line a step, so that a history can be read. @param {any} history */
function textOf({ steps, ...rest }) {
  const lines = steps.map((/** @type {unknown} */ step) => `  ${JSON.stringify(step)}`);
  const head = Object.entries(rest).map(
    ([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`,
  );
  return `{\n${head.join(',\n')},\n"steps": [\n${lines.join(',\n')}\n]\n}`;
}
