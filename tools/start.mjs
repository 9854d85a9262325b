/**
 * `npm start`: everything that is needed, then Backstage.
 */
import { fileURLToPath } from 'node:url';
import { join, resolve } from 'node:path';
import { mkdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { backendCommand } from './backend.mjs';
import { installDependencies } from './install.mjs';
import { runCommand, stopAll, stopAllOnSignals } from './run.mjs';
import { Stages } from './stages.mjs';
import { bringToolchain, toolchainEnvironment } from './toolchain.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const HELP = `Starts Backstage with Multicluster Release.

  --port <number>           of the pages              (3000)
  --backend-port <number>   of the backend            (7007)
  --data <folder>           databases and clusters    (.data)
  --help
`;

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '3000' },
    'backend-port': { type: 'string', default: '7007' },
    data: { type: 'string', default: join(ROOT, '.data') },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}

stopAllOnSignals();
const stages = new Stages(['installation', 'Backstage']);
const data = resolve(values.data);
await mkdir(data, { recursive: true });
const toolchain = await bringToolchain({ log: line => stages.say(line) });
await stages.run('installation', () => installDependencies({ root: ROOT, toolchain }));

const appUrl = `http://localhost:${values.port}`;
const backend = backendCommand({ root: ROOT, port: Number(values['backend-port']), appUrl, data });
const env = { ...toolchainEnvironment(toolchain), NODE_ENV: 'development', ...backend.env };
stages.say(`Backstage starts; its pages come up at ${appUrl}`);
const ended = await Promise.race([
  runCommand(toolchain.node, backend.args, { cwd: backend.cwd, env }),
  runCommand('yarn', ['workspace', 'app', 'start'], {
    cwd: ROOT,
    env: { ...env, BROWSER: 'none' },
  }),
]);
await stopAll();
process.exitCode = ended.code;
