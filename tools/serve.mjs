/**
 * The built app and the backend as one process on one port: what an installation
 * looks like, and what the browser tests run against. Build the app first
 * (`npm run yarn -- workspace app build`).
 *
 *   --port <number>    7007
 *   --data <folder>    where the databases are
 *   --fresh            empties that folder first
 *   --config <file>    after app-config.yaml; may be repeated
 */
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { backendCommand } from './backend.mjs';
import { installDependencies } from './install.mjs';
import { runCommand, stopAllOnSignals } from './run.mjs';
import { bringToolchain, toolchainEnvironment } from './toolchain.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '7007' },
    data: { type: 'string', default: join(ROOT, '.data') },
    fresh: { type: 'boolean', default: false },
    config: { type: 'string', multiple: true, default: [] },
  },
});
const port = Number(values.port);
const data = resolve(values.data);

stopAllOnSignals();
const toolchain = await bringToolchain({ log: line => console.error(line) });
await installDependencies({ root: ROOT, toolchain });
if (!existsSync(join(ROOT, 'packages', 'app', 'dist', 'index.html'))) {
  console.error('The app is not built yet: run `npm run yarn -- workspace app build` first.');
  process.exit(1);
}
if (values.fresh) {
  await rm(data, { recursive: true, force: true });
}
await mkdir(data, { recursive: true });
const { args, cwd, env } = backendCommand({
  root: ROOT,
  port,
  appUrl: `http://localhost:${port}`,
  data,
  configs: values.config.map(file => resolve(file)),
});
const { code } = await runCommand(toolchain.node, args, {
  cwd,
  env: { ...toolchainEnvironment(toolchain), NODE_ENV: 'development', ...env },
});
process.exitCode = code;
