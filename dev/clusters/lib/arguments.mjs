import { HarnessError } from './errors.mjs';

/**
 * @typedef {object} Arguments
 * @property {string | undefined} command
 * @property {string[]} names What stands behind the command.
 * @property {Record<string, string | true>} options
 */

/**
 * Options and whether a value follows.
 *
 * @type {Record<string, boolean>}
 */
const OPTIONS = {
  '--data': true,
  '--parent-pid': true,
  '--timeout': true,
  '--json': false,
  '--foreground': false,
  '--help': false,
};

/**
 * Options may stand anywhere, but behind `kubectl` all belongs to kubectl, save
 * a `--data` that follows at once.
 *
 * @param {string[]} given
 * @returns {Arguments}
 */
export function parseArguments(given) {
  /** @type {Arguments} */
  const result = { command: undefined, names: [], options: {} };
  const rest = [...given];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (isOfKubectl(word, result)) {
      result.names.push(word);
    } else if (word.startsWith('-')) {
      readOption(word, rest, result.options);
    } else if (result.command) {
      result.names.push(word);
    } else {
      result.command = word;
    }
  }
  return result;
}

/** @param {string} word @param {Arguments} soFar */
function isOfKubectl(word, { command, names, options }) {
  const isOurs = names.length === 0 && !options['--data'] && word.split('=')[0] === '--data';
  return command === 'kubectl' && !isOurs;
}

/**
 * @param {string} word `--name`, `--name=value` or a short one.
 * @param {string[]} rest
 * @param {Record<string, string | true>} options
 */
function readOption(word, rest, options) {
  const [typed, ...inline] = word.split('=');
  const name = typed === '-h' ? '--help' : typed;
  if (!(name in OPTIONS)) {
    throw new HarnessError(`${word}: no such option; there are ${Object.keys(OPTIONS).join(', ')}`);
  }
  if (!OPTIONS[name]) {
    options[name] = true;
    return;
  }
  const value = inline.length > 0 ? inline.join('=') : rest.shift();
  if (!value || value.startsWith('--')) {
    throw new HarnessError(`${name}: its value is missing; write ${name} VALUE`);
  }
  options[name] = value;
}

/**
 * @param {Record<string, string | true>} options
 * @param {string} name
 * @returns {number | undefined}
 */
export function numberOption(options, name) {
  if (options[name] === undefined) {
    return undefined;
  }
  const value = Number(options[name]);
  if (!Number.isInteger(value) || value <= 0) {
    throw new HarnessError(`${name} ${options[name]}: not a number; give a whole number above 0`);
  }
  return value;
}
