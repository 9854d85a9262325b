/**
 * Lines about long work: what runs, how long it has taken, and what is left.
 */

const REMINDER_MILLISECONDS = 30_000;

/**
 * A duration for people, for example `4 s` or `2 min 5 s`.
 *
 * @param {number} milliseconds
 */
export function duration(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) {
    return `${seconds} s`;
  }
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

export class Stages {
  #startedAt = Date.now();
  /** @type {string[]} */
  #left;
  /** @type {(line: string) => void} */
  #print;

  /**
   * @param {string[]} names in the order in which they will run
   * @param {(line: string) => void} [print]
   */
  constructor(names, print = line => console.log(line)) {
    this.#left = [...names];
    this.#print = print;
  }

  /**
   * Runs one stage; says when it starts, every half minute, and when it ends.
   *
   * @template T
   * @param {string} name
   * @param {() => Promise<T>} work
   * @param {() => string | undefined} [detail] how far it is, for the reminders
   * @returns {Promise<T>}
   */
  async run(name, work, detail = () => undefined) {
    this.#left = this.#left.filter(other => other !== name);
    const startedAt = Date.now();
    const left = this.#left.length > 0 ? `; left: ${this.#left.join(', ')}` : '';
    this.say(`${name} starts${left}`);
    const reminder = setInterval(() => {
      const now = detail();
      const taken = duration(Date.now() - startedAt);
      this.say(`${name} has run for ${taken}${now ? `: ${now}` : ''}`);
    }, REMINDER_MILLISECONDS);
    try {
      return await work();
    } finally {
      clearInterval(reminder);
      this.say(`${name} took ${duration(Date.now() - startedAt)}`);
    }
  }

  /** @param {string} text */
  say(text) {
    this.#print(`[${duration(Date.now() - this.#startedAt)}] ${text}`);
  }
}
