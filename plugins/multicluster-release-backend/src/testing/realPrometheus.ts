import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

// Tests run from source; nothing of this is in a build.
const PROGRAM = resolve(__dirname, '../../../../dev/metrics/cli.mjs');

/** The first build of Prometheus takes minutes. */
export const REAL_PROMETHEUS_MILLISECONDS = 20 * 60_000;

export interface RealPrometheus {
  address: string;
  /** SIGSTOP: it takes connections, and does not answer. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

/** A Prometheus that reads one target, `host:port`, every second; it ends with this process at the latest. */
export async function realPrometheus(target: string): Promise<RealPrometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'multicluster-release-prometheus-'));
  const config = join(folder, 'prometheus.json');
  const scrape = { job_name: 'test', static_configs: [{ targets: [target] }] };
  const global = { scrape_interval: '1s', scrape_timeout: '1s' };
  // Prometheus reads YAML, as every JSON is.
  await writeFile(config, JSON.stringify({ global, scrape_configs: [scrape] }));
  const options = ['run', '--config', config, '--data', folder];
  const program = spawn(process.execPath, [PROGRAM, ...options], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(program, 'exit');
  const started = once(createInterface({ input: program.stdout }), 'line');
  const failed = ended.then(() => Promise.reject(new Error('Prometheus did not start')));
  const [line] = await Promise.race([started, failed]);
  const { address, pid } = JSON.parse(line) as { address: string; pid: number };
  return {
    address,
    freeze: () => process.kill(pid, 'SIGSTOP'),
    thaw: () => process.kill(pid, 'SIGCONT'),
    close: async () => {
      program.stdin.end();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
