/** What the processes that play seeds have said so far. */

/** @param {(line: string) => void} print */
export function simulationSummary(print) {
  /** @type {Map<number, number>} */
  const counts = new Map();
  /** @type {{ seed: number, rule: string }[]} */
  const failures = [];
  const played = () => [...counts.values()].reduce((sum, count) => sum + count, 0);
  return {
    /**
     * One line of output of one process.
     *
     * @param {number} part
     * @param {string} line
     */
    take(part, line) {
      if (!line.startsWith('{')) {
        // Not of ours: an error of the process itself.
        print(line);
        return;
      }
      const said = JSON.parse(line);
      if (said.played !== undefined) {
        counts.set(part, said.played);
      } else {
        failures.push(said);
        print(`${said.report}\n`);
      }
    },
    played,
    failed: () => failures.length,
    lastLine() {
      const rules = [...new Set(failures.map(({ rule }) => rule))];
      return failures.length === 0
        ? `${played()} seeds kept every rule`
        : `${failures.length} of ${played()} seeds broke a rule: ${rules.join('; ')}`;
    },
  };
}

/**
 * @param {string} name of the option
 * @param {string} text
 */
export function wholeNumber(name, text) {
  if (!/^[1-9]\d*$/.test(text)) {
    throw new Error(`--${name} ${text}: must be a whole number from 1 on`);
  }
  return Number(text);
}
