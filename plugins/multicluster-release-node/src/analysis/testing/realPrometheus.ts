import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { temporaryFolder } from '../../clusters/testing/temporaryFolder';

// Tests run from source; nothing of this is in a build.
const PROGRAM = resolve(__dirname, '../../../../../dev/metrics/cli.mjs');
/** The first build of Prometheus takes minutes. */
export const REAL_PROMETHEUS_MILLISECONDS = 20 * 60_000;

export interface RealPrometheus {
  address: string;
  /** SIGSTOP: it takes connections, and does not answer. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

/**
 * A Prometheus that reads its targets every second. It ends with this
 * process at the latest.
 *
 * @param targets - as `host:port`
 */
export async function realPrometheus(targets: string[]): Promise<RealPrometheus> {
  const folder = await temporaryFolder();
  const config = `${folder.path}/prometheus.json`;
  await writeFile(
    config,
    // YAML, as every JSON is.
    JSON.stringify({
      global: { scrape_interval: '1s', scrape_timeout: '1s' },
      scrape_configs: [{ job_name: 'test', static_configs: [{ targets }] }],
    }),
  );
  const program = spawn(
    process.execPath,
    [PROGRAM, 'run', '--config', config, '--data', folder.path],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  );
  const ended = once(program, 'exit');
  const messages: string[] = [];
  createInterface({ input: program.stderr }).on('line', line => messages.push(line));
  const lines = createInterface({ input: program.stdout });
  const [line] = await Promise.race([
    once(lines, 'line'),
    ended.then(() => Promise.reject(new Error(`Prometheus did not start\n${messages.join('\n')}`))),
  ]);
  const { address, pid } = JSON.parse(line);
  return {
    address,
    freeze: () => process.kill(pid, 'SIGSTOP'),
    thaw: () => process.kill(pid, 'SIGCONT'),
    close: async () => {
      program.stdin.end();
      await ended;
      await folder.remove();
    },
  };
}
