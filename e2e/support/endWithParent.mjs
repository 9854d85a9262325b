/**
 * Preloaded into a process (`node --import`), ends it when its parent is gone: a
 * parent that was killed can end nothing itself.
 */
const LOOK_MILLISECONDS = 500;
const GRACE_MILLISECONDS = 10_000;

const parent = process.ppid;
const looking = setInterval(() => {
  if (process.ppid !== parent) {
    clearInterval(looking);
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), GRACE_MILLISECONDS).unref();
  }
}, LOOK_MILLISECONDS);
looking.unref();
