/**
 * Yarn under the Node that the project runs on: `npm run yarn -- <arguments>`.
 */
import { spawn } from 'node:child_process';
import { bringToolchain, toolchainEnvironment } from './toolchain.mjs';

const toolchain = await bringToolchain({ log: line => console.error(line) });
const child = spawn('yarn', process.argv.slice(2), {
  env: toolchainEnvironment(toolchain),
  stdio: 'inherit',
});
child.once('error', error => {
  console.error(error.message);
  process.exitCode = 1;
});
child.once('exit', (code, signal) => {
  process.exitCode = code ?? (signal ? 1 : 0);
});
