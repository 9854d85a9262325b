import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from './ports.mjs';
import { isAlive, startDetached } from './processes.mjs';

/** One etcd for all clusters of the data folder; each has its own prefix in it. @param {import('./state.mjs').State} state */
export async function startEtcd(program, folder, state) {
  state.etcd ??= { port: await freePort(), peerPort: await freePort() };
  if (isAlive(state.etcd.process)) {
    return;
  }
  const { port, peerPort } = state.etcd;
  await mkdir(join(folder, 'etcd'), { recursive: true, mode: 0o700 });
  const args = [
    'etcd',
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=http://127.0.0.1:${port}`,
    `--advertise-client-urls=http://127.0.0.1:${port}`,
    `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
    `--initial-advertise-peer-urls=http://127.0.0.1:${peerPort}`,
    `--initial-cluster=default=http://127.0.0.1:${peerPort}`,
    // Nothing in it has to survive a power cut.
    '--unsafe-no-fsync',
    '--log-level=error',
  ];
  state.etcd.process = startDetached(program, args, join(folder, 'etcd.log'));
}
