import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { watchGroups } from '../run.mjs';

const PROGRAM = fileURLToPath(new URL('./guard.mjs', import.meta.url));

/** From here on, all that `runCommand` starts ends with this process, even by kill -9. */
export function startGuard() {
  const guard = spawn(process.execPath, [PROGRAM], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Nothing is left to guard where it cannot be started; the start itself goes on.
  guard.on('error', () => {});
  guard.stdin.on('error', () => {});
  guard.unref();
  /** @type {import('node:net').Socket} */ (guard.stdin).unref();
  watchGroups({
    onStart: group => guard.stdin.write(`start ${group}\n`),
    onEnd: group => guard.stdin.write(`end ${group}\n`),
  });
}
