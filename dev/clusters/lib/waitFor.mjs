import { setTimeout as delay } from 'node:timers/promises';
import { HarnessError } from './errors.mjs';

/**
 * Waits until a condition holds.
 *
 * @template T
 * @param {() => T | undefined | false | Promise<T | undefined | false>} condition
 *   Answers something truthy once it holds; what it throws ends the waiting.
 * @param {object} options
 * @param {number} options.timeoutSeconds
 * @param {() => string} options.onTimeout The message of the error, made when the time is over.
 * @param {number} [options.everyMilliseconds]
 * @returns {Promise<T>} What the condition answered.
 */
export async function waitFor(condition, options) {
  const end = performance.now() + options.timeoutSeconds * 1000;
  for (;;) {
    const result = await condition();
    if (result) {
      return result;
    }
    if (performance.now() > end) {
      throw new HarnessError(options.onTimeout());
    }
    await delay(options.everyMilliseconds ?? 100);
  }
}
