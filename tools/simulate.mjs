/**
 * The simulation by hand: `npm run simulate -- --first 4711 --seeds 1` replays one
 * seed, a large number of seeds looks for new faults. Every seed that breaks a
 * rule is shrunk and printed; then the exit code is 1. `--record 0.2.0` records
 * histories instead (docs/simulation.md).
 */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installDependencies } from './install.mjs';
import { runCommand, stopAllOnSignals } from './run.mjs';
import { simulationSummary, wholeNumber } from './simulation/summary.mjs';
import { Stages } from './stages.mjs';
import { bringToolchain, toolchainEnvironment } from './toolchain.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PLAY = fileURLToPath(new URL('simulation/play.mjs', import.meta.url));
const RECORD = fileURLToPath(new URL('simulation/record.mjs', import.meta.url));

const { values } = parseArgs({
  options: {
    first: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1000' },
    record: { type: 'string' },
  },
});
const first = wholeNumber('first', values.first);
const seeds = wholeNumber('seeds', values.seeds);

stopAllOnSignals();
const toolchain = await bringToolchain({ log: line => console.error(line) });
await installDependencies({ root: ROOT, toolchain });

if (values.record === undefined) {
  await playAll();
} else {
  const { code } = await runCommand(toolchain.node, [RECORD, values.record], { cwd: ROOT });
  process.exitCode = code;
}

async function playAll() {
  const parts = Math.min(availableParallelism(), seeds);
  const summary = simulationSummary(line => console.log(line));
  const stages = new Stages(['simulation']);
  const codes = await stages.run(
    'simulation',
    () => Promise.all(Array.from({ length: parts }, (_, part) => playPart(part, parts, summary))),
    () => `${summary.played()} of ${seeds} seeds`,
  );
  console.log(summary.lastLine());
  process.exitCode = summary.failed() > 0 || codes.some(code => code !== 0) ? 1 : 0;
}

/**
 * @param {number} part
 * @param {number} parts
 * @param {ReturnType<typeof simulationSummary>} summary
 */
async function playPart(part, parts, summary) {
  let rest = '';
  const { code } = await runCommand(
    toolchain.node,
    [PLAY, ...[first, seeds, part, parts].map(String)],
    {
      cwd: ROOT,
      env: { ...toolchainEnvironment(toolchain), TZ: 'UTC' },
      quiet: true,
      onOutput: text => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        lines.forEach(line => summary.take(part, line));
      },
    },
  );
  return code;
}
