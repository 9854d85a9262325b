/**
 * What `npm start` can be told, and how it is said.
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { StartError } from './StartError.mjs';

/**
 * @typedef {{ kind: 'dev' } | { kind: 'kubeconfig', file: string } | { kind: 'none' }} ClusterChoice
 *
 * @typedef {object} Flags
 * @property {number} port of the pages
 * @property {number} backendPort
 * @property {string} data folder
 * @property {number} timeScale pauses are multiplied by it
 * @property {ClusterChoice} clusters
 * @property {string[]} allowExec contexts of the kubeconfig
 * @property {boolean} help
 */

const FLAGS = /** @type {const} */ ([
  ['port', '<number>', 'of the pages', '3000'],
  ['backend-port', '<number>', 'of the backend and its API', '7007'],
  ['data', '<folder>', 'databases, clusters and logs', '.data'],
  ['time-scale', '<number>', 'pauses take so many times as long; 0.1 is ten times as fast', '1'],
  ['clusters', '<which>', 'dev: five real control planes on this machine', 'dev'],
  ['', '', 'kubeconfig:<file>: every context of that file is a cluster', ''],
  ['', '', 'none: the pages without clusters', ''],
  ['allow-exec', '<context>', 'may run the program that its kubeconfig names; repeatable', 'none'],
  ['help', '', 'this text', ''],
]);

/** The longest text of a flag is `--backend-port <number>`. */
const FIRST_COLUMN = 26;

export function helpText() {
  const lines = FLAGS.map(([name, value, meaning, byDefault]) => {
    const flag = name ? `--${name} ${value}` : '';
    return `  ${flag.padEnd(FIRST_COLUMN)}${meaning}${byDefault ? ` (${byDefault})` : ''}`;
  });
  return [
    'Starts Backstage with Multicluster Release on this machine, for this machine only.',
    'Flags stand behind `npm start --`; in parentheses is what holds without them.',
    '',
    ...lines,
    '',
  ].join('\n');
}

/**
 * @param {string[]} given
 * @param {{ root: string, workingFolder: string }} places relative paths start at the second
 * @returns {Flags}
 * @throws {StartError} with the flag, what is wrong with it and what it takes
 */
export function readFlags(given, { root, workingFolder }) {
  const values = parse(given);
  const flags = {
    port: readPort('port', values.port ?? '3000'),
    backendPort: readPort('backend-port', values['backend-port'] ?? '7007'),
    data: values.data ? resolve(workingFolder, values.data) : join(root, '.data'),
    timeScale: readTimeScale(values['time-scale'] ?? '1'),
    clusters: readClusters(values.clusters ?? 'dev', workingFolder),
    allowExec: values['allow-exec'] ?? [],
    help: values.help ?? false,
  };
  if (flags.port === flags.backendPort) {
    throw new StartError(
      `--port and --backend-port are both ${flags.port}; give them different numbers`,
    );
  }
  if (flags.allowExec.length > 0 && flags.clusters.kind !== 'kubeconfig') {
    throw new StartError(
      '--allow-exec names a context of a kubeconfig; add --clusters kubeconfig:<file>',
    );
  }
  return flags;
}

/** @param {string[]} given */
function parse(given) {
  try {
    return parseArgs({
      args: given,
      options: {
        port: { type: 'string' },
        'backend-port': { type: 'string' },
        data: { type: 'string' },
        'time-scale': { type: 'string' },
        clusters: { type: 'string' },
        'allow-exec': { type: 'string', multiple: true },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    const [sentence] = /** @type {Error} */ (error).message.split('. ');
    throw new StartError(`${sentence}; npm start -- --help lists the flags`);
  }
}

/** @param {string} name @param {string} text */
function readPort(name, text) {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535) {
    throw new StartError(`--${name} ${text}: no port; give a number from 1 to 65535`);
  }
  return port;
}

/** The limits are those of the backend. @param {string} text */
function readTimeScale(text) {
  const scale = Number(text);
  if (text.trim() === '' || !(scale > 0 && scale <= 100)) {
    throw new StartError(`--time-scale ${text}: give a number above 0, at most 100`);
  }
  return scale;
}

/**
 * @param {string} text
 * @param {string} workingFolder
 * @returns {ClusterChoice}
 */
function readClusters(text, workingFolder) {
  if (text === 'dev' || text === 'none') {
    return { kind: text };
  }
  const file = /^kubeconfig:(.+)$/.exec(text)?.[1];
  if (!file) {
    throw new StartError(`--clusters ${text}: give dev, kubeconfig:<file> or none`);
  }
  return { kind: 'kubeconfig', file: resolve(workingFolder, file) };
}
