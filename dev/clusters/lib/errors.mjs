/**
 * An error whose message is for the person at the terminal: it leads with the
 * place and ends with what to do. It is printed without a stack trace.
 */
export class HarnessError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'HarnessError';
  }
}
