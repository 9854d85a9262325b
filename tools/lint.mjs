/**
 * ESLint over the packages, by Backstage's own command, and over the scripts.
 * Warnings count as errors, or nobody would ever see them.
 */
import { fileURLToPath } from 'node:url';
import { installDependencies } from './install.mjs';
import { runCommand, stopAllOnSignals } from './run.mjs';
import { bringToolchain, toolchainEnvironment } from './toolchain.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

stopAllOnSignals();
const toolchain = await bringToolchain({ log: line => console.error(line) });
await installDependencies({ root: ROOT, toolchain });
const options = { cwd: ROOT, env: toolchainEnvironment(toolchain) };
const ends = [
  await runCommand(
    'yarn',
    ['exec', 'backstage-cli', 'repo', 'lint', '--max-warnings', '0', ...process.argv.slice(2)],
    options,
  ),
  await runCommand(
    'yarn',
    [
      'exec',
      'eslint',
      '--max-warnings',
      '0',
      '--no-error-on-unmatched-pattern',
      '--ext',
      '.js,.mjs,.ts',
      'tools',
      'dev',
      'e2e',
      'bench',
      ...process.argv.slice(2),
    ],
    options,
  ),
];
process.exitCode = ends.some(({ code }) => code !== 0) ? 1 : 0;
