/**
 * The simulation by hand: `npm run simulate -- --first 4711 --seeds 1` replays one
 * seed, a large number of seeds looks for new faults.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installDependencies } from './install.mjs';
import { jestCommand } from './jest.mjs';
import { runCommand, stopAllOnSignals } from './run.mjs';
import { testFiles } from './testFiles.mjs';
import { bringToolchain, toolchainEnvironment } from './toolchain.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const { values } = parseArgs({
  options: {
    first: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1000' },
  },
});

stopAllOnSignals();
const toolchain = await bringToolchain({ log: line => console.error(line) });
await installDependencies({ root: ROOT, toolchain });
const { args, env } = jestCommand(toolchainEnvironment(toolchain), {
  files: testFiles(ROOT, 'simulation'),
  options: ['--maxWorkers=2'],
});
const { code } = await runCommand('yarn', args, {
  cwd: ROOT,
  env: { ...env, SIMULATION_FIRST: values.first, SIMULATION_SEEDS: values.seeds },
});
process.exitCode = code;
