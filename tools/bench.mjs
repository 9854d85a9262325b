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

const BENCHMARKS = [
  ['A new version on four clusters, from the order to its end', 'releaseFourClusters.ts'],
  ['From the reading that crosses its limit to the first write back', 'rollbackOnCrossing.ts'],
];

stopAllOnSignals();
const toolchain = await bringToolchain({ log: line => console.error(line) });
await installDependencies({ root: ROOT, toolchain });
for (const [title, file] of BENCHMARKS) {
  console.log(title);
  const { code } = await runCommand(
    toolchain.node,
    ['--no-warnings', '--require', LOADER, `bench/${file}`, ...process.argv.slice(2)],
    { cwd: ROOT, env: toolchainEnvironment(toolchain) },
  );
  process.exitCode ||= code;
}
