/**
 * A real Prometheus for tests: `node dev/metrics/cli.mjs <command>`. Results go
 * to standard output and everything else to standard error.
 */
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { printBuildProgress } from '../clusters/lib/buildProgress.mjs';
import { HarnessError } from '../clusters/lib/errors.mjs';
import { build } from './build.mjs';
import { run } from './run.mjs';

const HELP = `A real Prometheus on this machine, built from its sources once.

  build   builds it and prints the path of the program
  run     starts one on a free port and prints {"address", "pid"};
          it ends with standard input, and so with whoever started this

  --config FILE    (run) its configuration
  --data FOLDER    (run) where its data and its log go`;

async function main() {
  const { command, config, data } = readCommandLine();
  if (command === 'build') {
    console.log((await build({ onProgress: printBuildProgress() })).binary);
    return;
  }
  if (command !== 'run' || !config || !data) {
    throw new HarnessError(HELP);
  }
  const { binary } = await build({ onProgress: printBuildProgress() });
  const { address, pid, ended, end } = await run({ binary, config, data });
  console.log(JSON.stringify({ address, pid }));
  process.stdin.resume();
  const over = ['SIGINT', 'SIGTERM', 'SIGHUP'].map(signal => once(process, signal));
  await Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close'), ended, ...over]);
  end();
  await ended;
}

function readCommandLine() {
  try {
    const { values, positionals } = parseArgs({
      options: { config: { type: 'string' }, data: { type: 'string' } },
      allowPositionals: true,
    });
    return { command: positionals[0], ...values };
  } catch (error) {
    throw new HarnessError(`${error.message}\n\n${HELP}`);
  }
}

try {
  await main();
  process.exit(0);
} catch (error) {
  console.error(error instanceof HarnessError ? error.message : error);
  process.exit(1);
}
