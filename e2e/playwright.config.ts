import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { findBrowser } from './support/browser';

const port = Number(process.env.E2E_PORT ?? 7117);
const output = process.env.E2E_OUTPUT ?? join(tmpdir(), 'multicluster-release-e2e');
const data = join(output, 'data');
// The tests themselves ask the backend and the clusters, too.
process.env.E2E_PORT = String(port);
process.env.E2E_DATA = data;
const { executablePath, env } = await findBrowser();

export default defineConfig({
  testDir: 'tests',
  testMatch: '**/*.test.ts',
  outputDir: join(output, 'results'),
  // One backend and one set of clusters serve all tests.
  workers: 1,
  forbidOnly: true,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [
    ['list'],
    ...(process.env.E2E_JSON_REPORT
      ? [['json', { outputFile: process.env.E2E_JSON_REPORT }] as const]
      : []),
  ],
  use: {
    baseURL: `http://localhost:${port}`,
    locale: 'en-GB',
    timezoneId: 'UTC',
    actionTimeout: 30_000,
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath,
      args: ['--no-sandbox'],
      env: { ...(process.env as { [name: string]: string }), ...env },
    },
  },
  webServer: {
    // With exec, so that its parent is this process: it ends when that is gone.
    command: `exec node --import ./support/endWithParent.mjs support/demonstration.mjs --port ${port} --data "${data}"`,
    url: `http://localhost:${port}/.backstage/health/v1/readiness`,
    timeout: 600_000,
    // For whoever writes tests: support/demonstration.mjs may go on between two runs.
    reuseExistingServer: Boolean(process.env.E2E_REUSE),
    stdout: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 30_000 },
  },
});
