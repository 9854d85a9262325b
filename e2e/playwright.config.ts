import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { findBrowser } from './support/browser';

const port = Number(process.env.E2E_PORT ?? 7117);
const output = process.env.E2E_OUTPUT ?? join(tmpdir(), 'multicluster-release-e2e');
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
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath,
      args: ['--no-sandbox'],
      env: { ...(process.env as { [name: string]: string }), ...env },
    },
  },
  webServer: {
    command: `node ../tools/serve.mjs --port ${port} --data ${join(output, 'data')} --fresh`,
    url: `http://localhost:${port}/.backstage/health/v1/readiness`,
    timeout: 180_000,
    reuseExistingServer: false,
    stdout: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
  },
});
