/**
 * What is said at the end of a start.
 */
/** Of the sample's steps, in dev/samples/checkout/multicluster-release.yaml. */
const PAUSE_SECONDS = 20;

/**
 * What releases do that do not go on by themselves, by state.
 *
 * @type {Record<string, string>}
 */
const STANDS = { Pending: 'has not started yet', Waiting: 'waits', Paused: 'is paused' };

/** @param {number} port */
export function servicePage(port) {
  return `http://localhost:${port}/catalog/default/component/checkout/releases`;
}

/**
 * @param {object} facts
 * @param {number} facts.port
 * @param {import('./firstRelease.mjs').Sample} facts.sample
 * @param {number} facts.timeScale
 */
export function sampleText({ port, sample: { running, underWay }, timeScale }) {
  if (underWay) {
    return [
      underWayText(underWay),
      '',
      `  Open   ${servicePage(port)}`,
      '         and press "Enter" to come in as the guest.',
    ];
  }
  const next = running.some(({ version }) => version === '1.0.0') ? '2.0.0' : '1.0.0';
  return [
    ...running.map(runningText),
    '',
    `  Open   ${servicePage(port)}`,
    '         and press "Enter" to come in as the guest.',
    `  Press  "Start a release…", choose ${next}, "Preview", then "Start ${next} on 4 clusters".`,
    `         It goes to cluster-a, then cluster-b, then the rest, with ${
      PAUSE_SECONDS * timeScale
    } s to look at each;`,
    '         "Pause" and "Roll back" are there on the way.',
    '  Then   release 3.0.0 in the same way: it crashes, and the version before comes back.',
  ];
}

/**
 * @param {object} facts
 * @param {number} facts.port
 * @param {string} facts.why
 */
export function withoutSampleText({ port, why }) {
  return [
    why,
    '',
    `  Open   http://localhost:${port}/multicluster-release/clusters`,
    '         and press "Enter" to come in as the guest.',
    `         The page of the sample service is ${servicePage(port)}`,
  ];
}

/**
 * @param {string} logs folder
 */
export function endText(logs) {
  return ['', `  Logs are in ${logs}`, '  Ctrl-C ends everything that was started.', ''];
}

/** @param {import('./firstRelease.mjs').UnderWay} underWay */
function underWayText({ version, state, message }) {
  const does = STANDS[state] ?? 'is under way';
  return `A release of checkout ${version} ${does}${message ? `: ${message}` : ''}.`;
}

/** @param {import('./firstRelease.mjs').Running} running */
function runningText({ version, isSeen, clusters }) {
  const where = sentenceList(clusters);
  return isSeen
    ? `checkout ${version} runs on ${where}.`
    : `checkout ${version} ran on ${where}, not reached since the start.`;
}

/** @param {string[]} words */
function sentenceList(words) {
  if (words.length < 2) {
    return words.join('');
  }
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
