import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

const PROGRAM = resolve(__dirname, 'killedBackend.ts');

/** A backend as a process of its own, which works on one release until it has ended. */
export interface OtherReplica {
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
  /** What it printed, once it has ended; empty where it was killed. */
  printed: Promise<string>;
}

export function otherReplica(
  database: string,
  { kubeconfig, releaseId }: { kubeconfig: string; releaseId: string },
): OtherReplica {
  const transform = require.resolve('@backstage/cli-node/config/nodeTransform.cjs');
  const child = spawn(
    process.execPath,
    ['--require', transform, PROGRAM, database, kubeconfig, releaseId, '0'],
    { env: { ...process.env, NODE_OPTIONS: '' }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let text = '';
  child.stdout.setEncoding('utf8').on('data', part => {
    text += part;
  });
  return {
    signal: name => {
      child.kill(name);
    },
    printed: once(child, 'close').then(() => text),
  };
}
