/*
 * One life of a backend, as a process of its own: works on the release until it
 * has ended, or dies at a kill point, or by a signal. Prints how many points it passed.
 */
import { KillPoints } from './killPoints';
import { smallBackend } from './smallBackend';

async function live(): Promise<void> {
  const [database, kubeconfig, releaseId, killAt] = process.argv.slice(2);
  const points = new KillPoints(Number(killAt), () => process.kill(process.pid, 'SIGKILL'));
  const backend = await smallBackend({
    database,
    kubeconfig,
    leaseMilliseconds: 15_000,
    wrapStore: store => points.wrapStore(store),
    wrapRegistry: registry => points.wrapRegistry(registry),
  });
  backend.engine.start();
  const { state } = await backend.ended(releaseId);
  await backend.close();
  process.stdout.write(JSON.stringify({ state, passed: points.passed }));
}

void live();
