/**
 * `npm run bench`: the benchmarks of bench/, one after the other.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installDependencies } from './install.mjs';
import { runCommand, stopAllOnSignals } from './run.mjs';
import { bringToolchain, toolchainEnvironment } from './toolchain.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LOADER = join(ROOT, 'node_modules', '@backstage', 'cli-node', 'config', 'nodeTransform.cjs');

stopAllOnSignals();
const toolchain = await bringToolchain({ log: line => console.error(line) });
await installDependencies({ root: ROOT, toolchain });
const { code } = await runCommand(
  toolchain.node,
  ['--no-warnings', '--require', LOADER, 'bench/releaseFourClusters.ts', ...process.argv.slice(2)],
  { cwd: ROOT, env: toolchainEnvironment(toolchain) },
);
process.exitCode = code;
