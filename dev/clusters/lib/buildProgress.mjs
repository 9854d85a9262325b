/** One line per change, and one every ten seconds of a long step: it is read in logs too. */
export function printBuildProgress() {
  let lastStep = '';
  let lastSeconds = 0;
  return (/** @type {import('./goProgram.mjs').BuildProgress} */ progress) => {
    if (progress.step !== lastStep || progress.seconds - lastSeconds >= 10) {
      lastStep = progress.step;
      lastSeconds = progress.seconds;
      const count = progress.total ? `, ${progress.done} of ${progress.total} packages` : '';
      console.error(`build: ${progress.message}${count} (${Math.round(progress.seconds)} s)`);
    }
  };
}
