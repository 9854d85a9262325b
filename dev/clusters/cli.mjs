#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './lib/build.mjs';
import { cacheFolder } from './lib/cacheFolder.mjs';
import { down, signalApiserver, status, up } from './lib/harness.mjs';
import { kubeconfigPath } from './lib/kubeconfig.mjs';
import { superviseFor } from './lib/supervise.mjs';

const HELP = `Real Kubernetes control planes on this machine, for trying things out and for tests.

  up <cluster…>        starts clusters and waits until they are ready
  down [<cluster…>]    ends them (all without names); their data stay
  status               what runs, and at which address
  kubeconfig           prints the path of the kubeconfig: a context <cluster> with
                       the rights of docs/cluster-role.yaml, and <cluster>-admin
  kill <cluster>       ends its API server at once (SIGKILL); \`up\` brings it back
  freeze <cluster>     stops its API server without ending it (SIGSTOP)
  thaw <cluster>       lets it go on (SIGCONT)
  logs <cluster>       the last lines of its API server's log
  kubectl <args…>      kubectl with that kubeconfig
  build                only builds the program (Go 1.26 or newer)

  --data <folder>      where clusters keep their data   (${join(cacheFolder(), 'clusters', 'default')})
  --parent-pid <pid>   with up: take everything down when that process ends
  --json               print results for programs
`;

const OPTIONS = /** @type {const} */ ({
  data: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  'parent-pid': { type: 'string' },
});

async function main(argv) {
  if (argv[0] === 'kubectl') {
    return kubectl(argv.slice(1));
  }
  const { values, positionals } = parseArgs({ args: argv, options: OPTIONS, allowPositionals: true });
  const [command, ...names] = positionals;
  const folder = dataFolder(values.data);
  if (values.help || !command) {
    process.stdout.write(HELP);
    return 0;
  }
  const run = COMMANDS[command];
  if (!run) {
    throw new Error(`There is no command "${command}". Commands: ${Object.keys(COMMANDS).join(', ')}, kubectl.`);
  }
  await run({ folder, names, values, print: printer(values.json) });
  return 0;
}

const COMMANDS = {
  up: async ({ folder, names, values, print }) => {
    if (names.length === 0) {
      throw new Error('Name the clusters to start, for example: npm run clusters -- up cluster-a cluster-b');
    }
    if (values['parent-pid']) {
      superviseFor(Number(values['parent-pid']), folder);
    }
    const started = Date.now();
    const result = await up(folder, names, { progress: tell, onReady: name => tell(`${name} is ready`) });
    print(result, () => `Ready after ${((Date.now() - started) / 1000).toFixed(1)} s. KUBECONFIG=${result.kubeconfig}`);
  },
  down: async ({ folder, names, print }) => {
    const ended = await down(folder, names);
    print({ ended }, () => (ended.length > 0 ? `Ended ${ended.join(', ')}.` : 'Nothing was running.'));
  },
  status: async ({ folder, print }) => {
    const clusters = await status(folder);
    print({ clusters }, () => clusters.map(({ name, server, state }) => `${name}\t${state}\t${server}`).join('\n') || 'No clusters yet.');
  },
  kubeconfig: async ({ folder, print }) => {
    print({ kubeconfig: kubeconfigPath(folder) }, () => kubeconfigPath(folder));
  },
  kill: apiserverCommand('SIGKILL', 'was killed; `up` brings it back'),
  freeze: apiserverCommand('SIGSTOP', 'is frozen; `thaw` lets it go on'),
  thaw: apiserverCommand('SIGCONT', 'goes on'),
  logs: async ({ folder, names }) => {
    const file = join(folder, one(names, 'logs'), 'kube-apiserver.log');
    await runProgram('tail', ['-n', '100', file]);
  },
  build: async ({ print }) => {
    const program = await build(tell);
    print({ program }, () => program);
  },
};

function apiserverCommand(signalName, done) {
  return async ({ folder, names, print }) => {
    const name = one(names, 'this command');
    await signalApiserver(folder, name, signalName);
    print({ name, signal: signalName }, () => `The API server of ${name} ${done}.`);
  };
}

function one(names, command) {
  if (names.length !== 1) {
    throw new Error(`Name one cluster for ${command}, for example cluster-a.`);
  }
  return names[0];
}

/** Everything after `kubectl` is kubectl's, but for our own --data. */
async function kubectl(args) {
  const at = args.indexOf('--data');
  const folder = dataFolder(at >= 0 ? args[at + 1] : undefined);
  const rest = at >= 0 ? args.filter((_, index) => index !== at && index !== at + 1) : args;
  const program = await build(tell);
  return runProgram(program, ['kubectl', '--kubeconfig', kubeconfigPath(folder), ...rest]);
}

function runProgram(program, args) {
  return new Promise((done, reject) => {
    const child = spawn(program, args, { stdio: 'inherit' });
    child.on('error', reject);
    child.on('exit', code => done(code ?? 1));
  });
}

function dataFolder(given) {
  return resolve(given ?? join(cacheFolder(), 'clusters', 'default'));
}

/** Progress goes beside the result, never into it. */
function tell(text) {
  process.stderr.write(`clusters: ${text}\n`);
}

function printer(json) {
  return (value, text) => process.stdout.write(`${json ? JSON.stringify(value) : text()}\n`);
}

main(process.argv.slice(2)).then(
  code => {
    process.exitCode = code;
  },
  error => {
    process.stderr.write(`clusters: ${error.message}\n`);
    process.exitCode = 1;
  },
);
