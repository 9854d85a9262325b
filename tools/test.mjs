/**
 * `npm test`: all set-up, then every suite, then one line with the counts.
 *
 * `npm run test:unit`, `test:simulation`, `test:database`, `test:clusters` and
 * `test:e2e` run one part; what follows `--` selects files by a piece of their path.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keepLogsOfFailure } from './clusterLogs.mjs';
import { startPostgres } from './database.mjs';
import { freePort } from './freePort.mjs';
import { installDependencies } from './install.mjs';
import { jestCommand } from './jest.mjs';
import {
  addCounts,
  couldNotRun,
  judgeSuite,
  lastLine,
  oneTest,
  readJestReport,
  readPlaywrightReport,
  readTapReport,
  suiteTable,
} from './reports.mjs';
import { runCommand, stopAllOnSignals } from './run.mjs';
import { duration, Stages } from './stages.mjs';
import { buildApp } from './start/buildApp.mjs';
import { testFiles } from './testFiles.mjs';
import { bringToolchain, toolchainEnvironment } from './toolchain.mjs';

/** @typedef {import('./reports.mjs').Counts} Counts */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CLUSTERS = join(ROOT, 'dev', 'clusters', 'cli.mjs');
const KEPT_RUNS = 5;

/** What each argument of this script runs, in this order. */
const PARTS = {
  all: ['types', 'lint', 'scripts', 'unit', 'simulation', 'database', 'dev', 'clusters', 'e2e'],
  unit: ['scripts', 'unit'],
  simulation: ['simulation'],
  database: ['database'],
  clusters: ['dev', 'clusters'],
  e2e: ['e2e'],
};

/** Suites that need control planes. */
const ON_CLUSTERS = ['dev', 'clusters', 'e2e'];

/** @type {Record<string, string>} */
const TITLES = {
  types: 'type check',
  lint: 'lint',
  scripts: 'tests of the scripts',
  unit: 'unit tests',
  simulation: 'simulation',
  database: 'database tests',
  dev: 'tests of the development clusters',
  clusters: 'tests on real clusters',
  e2e: 'browser tests',
};

const [part = 'all', ...patterns] = process.argv.slice(2);
if (!(part in PARTS)) {
  console.error(`There is no part "${part}"; use one of ${Object.keys(PARTS).join(', ')}`);
  process.exit(2);
}
const suites = PARTS[/** @type {keyof typeof PARTS} */ (part)].filter(
  // Whoever selects files means some suite of the part, not each of them.
  suite =>
    patterns.length === 0 || testFiles(ROOT, /** @type {any} */ (suite), patterns).length > 0,
);

const stages = new Stages(['installation', ...suites.map(suite => TITLES[suite])]);
/** @type {(() => Promise<void>)[]} */
const putAway = [];
stopAllOnSignals(async () => {
  await Promise.all(putAway.map(each => each()));
});

const total = await runAll().catch(error =>
  couldNotRun(error instanceof Error ? error.message : String(error)),
);
for (const problem of total.problems) {
  console.log(`Problem: ${problem}`);
}
// Whatever is still on its way out must come before the line that is read last.
process.stdout.write(`${lastLine(total)}\n`, () => process.exit(total.failed > 0 ? 1 : 0));

/** @returns {Promise<Counts>} */
async function runAll() {
  if (suites.length === 0) {
    return couldNotRun(`no test file has ${patterns.join(' or ')} in its path`);
  }
  const reports = await newReportFolder();
  const toolchain = await bringToolchain({ log: line => stages.say(line) });
  await stages.run('installation', () =>
    installDependencies({ root: ROOT, toolchain, logFile: join(reports, 'install.log') }),
  );
  const env = {
    ...toolchainEnvironment(toolchain),
    NODE_ENV: 'test',
    TZ: 'UTC',
    MULTICLUSTER_RELEASE_CLUSTERS_CLI: CLUSTERS,
  };
  // Takes minutes the first time, so it runs beside everything that needs no cluster.
  const controlPlanes = suites.some(suite => ON_CLUSTERS.includes(suite))
    ? buildControlPlanes(env, reports)
    : undefined;

  /** @type {{ title: string, taken: string, result: Counts }[]} */
  const results = [];
  for (const suite of suites) {
    const startedAt = Date.now();
    const clusterLogs = join(reports, `${suite}-cluster-logs`);
    const surroundings = {
      env: { ...env, MULTICLUSTER_RELEASE_CLUSTER_LOGS: clusterLogs },
      reports,
      toolchain,
      controlPlanes,
    };
    const result = await stages
      .run(TITLES[suite], () => runSuite(suite, surroundings))
      .catch(error => couldNotRun(error instanceof Error ? error.message : String(error)));
    if (await keepLogsOfFailure(clusterLogs, result)) {
      stages.say(`The logs of the control planes are in ${clusterLogs}`);
    }
    stages.say(`${TITLES[suite]}: ${lastLine(result)}`);
    results.push({
      title: TITLES[suite],
      taken: duration(Date.now() - startedAt),
      result: {
        ...result,
        problems: result.problems.map(problem => `${TITLES[suite]}: ${problem}`),
      },
    });
  }
  const ended = await controlPlanes;
  if (ended && ended.code !== 0) {
    stages.say(`Building the control planes failed; see ${join(reports, 'clusters-build.log')}`);
  }
  console.log(['', ...suiteTable(results)].join('\n'));
  return addCounts(results.map(({ result }) => result));
}

/**
 * @typedef {object} Surroundings
 * @property {NodeJS.ProcessEnv} env
 * @property {string} reports folder for reports and logs
 * @property {import('./toolchain.mjs').Toolchain} toolchain
 * @property {Promise<import('./run.mjs').CommandEnd> | undefined} controlPlanes
 */

/**
 * @param {string} suite
 * @param {Surroundings} surroundings
 * @returns {Promise<Counts>}
 */
async function runSuite(suite, surroundings) {
  if (ON_CLUSTERS.includes(suite)) {
    const built = await surroundings.controlPlanes;
    if (built?.code !== 0) {
      return couldNotRun('the control planes could not be built');
    }
  }
  switch (suite) {
    case 'types':
      return oneTest(await typeCheck(surroundings));
    case 'lint':
      return oneTest(await lint(surroundings));
    case 'scripts':
    case 'dev':
      return runNodeTests(suite, surroundings);
    case 'database':
      return runDatabaseTests(surroundings);
    case 'e2e':
      return runBrowserTests(surroundings);
    default:
      return runJest(/** @type {any} */ (suite), surroundings);
  }
}

/** @param {Surroundings} surroundings */
async function typeCheck({ env, reports }) {
  // A state file of its own: declarations are written by `npm run tsc` only.
  const state = join(ROOT, 'node_modules', '.cache', 'multicluster-release', 'tsc.tsbuildinfo');
  const { code } = await runCommand(
    'yarn',
    ['exec', 'tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', state, '--pretty', 'false'],
    {
      cwd: ROOT,
      env,
      logFile: join(reports, 'types.log'),
    },
  );
  return code;
}

/** @param {Surroundings} surroundings */
async function lint({ env, reports }) {
  const { code } = await runCommand(process.execPath, [join(ROOT, 'tools', 'lint.mjs')], {
    cwd: ROOT,
    env,
    logFile: join(reports, 'lint.log'),
  });
  return code;
}

/**
 * @param {import('./testFiles.mjs').JestSuite} suite
 * @param {Surroundings} surroundings
 * @param {NodeJS.ProcessEnv} [extra]
 */
async function runJest(suite, { env, reports }, extra = {}) {
  const files = testFiles(ROOT, suite, patterns);
  if (files.length === 0) {
    return couldNotRun('no test file was found');
  }
  const report = join(reports, `${suite}.json`);
  // Real clusters carry one suite at a time.
  const parallel =
    suite === 'clusters' ? ['--runInBand'] : ['--maxWorkers=2', '--workerIdleMemoryLimit=1000M'];
  const command = jestCommand(env, {
    files,
    options: ['--json', `--outputFile=${report}`, ...parallel],
  });
  const { code } = await runCommand('yarn', command.args, {
    cwd: ROOT,
    env: { ...command.env, ...extra },
    logFile: join(reports, `${suite}.log`),
  });
  return judgeSuite({
    text: await textOf(report),
    read: text => readJestReport(text, files.length),
    exitCode: code,
  });
}

/** @param {Surroundings} surroundings */
async function runDatabaseTests(surroundings) {
  const postgres = await startPostgres({
    toolchain: surroundings.toolchain,
    env: surroundings.env,
    logFile: join(surroundings.reports, 'postgres.log'),
  });
  putAway.push(postgres.stop);
  try {
    return await runJest('database', surroundings, {
      BACKSTAGE_TEST_DISABLE_DOCKER: '1',
      BACKSTAGE_TEST_DATABASE_POSTGRES15_CONNECTION_STRING: postgres.url,
    });
  } finally {
    await postgres.stop();
  }
}

/**
 * @param {'scripts' | 'dev'} suite
 * @param {Surroundings} surroundings
 */
async function runNodeTests(suite, { env, reports, toolchain }) {
  const files = testFiles(ROOT, suite, patterns);
  if (files.length === 0) {
    return couldNotRun('no test file was found');
  }
  const report = join(reports, `${suite}.tap`);
  const { code } = await runCommand(
    toolchain.node,
    // prettier-ignore
    [
      '--test', ...(suite === 'dev' ? ['--test-concurrency=1'] : []),
      '--test-reporter=tap', `--test-reporter-destination=${report}`,
      '--test-reporter=spec', '--test-reporter-destination=stdout',
      ...files,
    ],
    { cwd: ROOT, env, logFile: join(reports, `${suite}.log`) },
  );
  return judgeSuite({ text: await textOf(report), read: readTapReport, exitCode: code });
}

/** @param {Surroundings} surroundings */
async function runBrowserTests({ env, reports, toolchain }) {
  const files = testFiles(ROOT, 'e2e', patterns);
  if (files.length === 0) {
    return couldNotRun('no test file was found');
  }
  const report = join(reports, 'e2e.json');
  await buildApp({ root: ROOT, toolchain, logFile: join(reports, 'app-build.log') });
  const { code } = await runCommand(
    'yarn',
    ['workspace', 'e2e', 'playwright', 'test', ...files.map(file => file.replace(/^e2e\//, ''))],
    {
      cwd: ROOT,
      env: {
        ...env,
        E2E_JSON_REPORT: report,
        E2E_OUTPUT: join(reports, 'e2e'),
        // Another clone may run its tests at the same time.
        E2E_PORT: String(await freePort()),
      },
      logFile: join(reports, 'e2e.log'),
    },
  );
  return judgeSuite({ text: await textOf(report), read: readPlaywrightReport, exitCode: code });
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} reports
 */
async function buildControlPlanes(env, reports) {
  if (!existsSync(CLUSTERS)) {
    return { code: 1, milliseconds: 0 };
  }
  return runCommand(process.execPath, [CLUSTERS, 'build'], {
    cwd: ROOT,
    env,
    quiet: true,
    logFile: join(reports, 'clusters-build.log'),
  });
}

/** A folder for the reports of this run; those of the last few runs are kept. */
async function newReportFolder() {
  const parent = join(ROOT, '.reports');
  await mkdir(parent, { recursive: true });
  const runs = (await readdir(parent)).sort();
  for (const name of runs.slice(0, Math.max(0, runs.length - KEPT_RUNS + 1))) {
    await rm(join(parent, name), { recursive: true, force: true });
  }
  const folder = join(parent, `${new Date().toISOString().replaceAll(':', '-')}-${process.pid}`);
  await mkdir(folder);
  return folder;
}

/** @param {string} path */
async function textOf(path) {
  return readFile(path, 'utf8').catch(() => undefined);
}
