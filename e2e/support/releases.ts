import { expect } from '@playwright/test';
import type {
  ReleaseView,
  ServiceSummary,
  StageView,
} from 'backstage-plugin-multicluster-release-common';
import { TARGETS } from './clusters';

export const SERVICE = 'component:default/checkout';
const PATIENCE_MILLISECONDS = 180_000;

/** The API as a pipeline would use it: to prepare what a test begins with, and to learn when to look. */
export const releases = {
  summary: () => get<ServiceSummary>('services/component/default/checkout/summary'),
  release: (id: string) => get<ReleaseView>(`releases/${id}`),
  stages: async (id: string) => (await get<{ items: StageView[] }>(`releases/${id}/stages`)).items,
  bring,
  startPaused,
};

/** Makes sure that a version runs on every cluster, that nothing is under way and nothing on hold. */
async function bring(version: string): Promise<void> {
  await expect.poll(clusterStates, { timeout: PATIENCE_MILLISECONDS }).toEqual(['ok']);
  const before = await releases.summary();
  if (before.activeRelease) {
    await send('POST', `releases/${before.activeRelease.id}/abort`, {});
    await untilFinal(before.activeRelease.id);
  }
  for (const { id } of before.holds) {
    await send('DELETE', `holds/${id}`);
  }
  const running = before.versions.map(each => each.version);
  if (running.length === TARGETS.length && running.every(each => each === version)) {
    return;
  }
  const { id } = await send<{ id: string }>(
    'POST',
    `releases?service=${SERVICE}`,
    releaseToAll(version),
  );
  expect((await untilFinal(id)).state).toBe('Succeeded');
}

/** Starts the sample's own release, and pauses it while its first stage is observed. */
async function startPaused(version: string): Promise<ReleaseView> {
  const { documents } = await get<{ documents: ReleaseDocument[] }>(
    'services/component/default/checkout/definition',
  );
  const document = documents.find(({ kind }) => kind === 'ClusterRelease');
  const spec = { ...document?.spec, targetVersion: version };
  const body = { ...document, spec };
  const { id } = await send<{ id: string }>('POST', `releases?service=${SERVICE}`, body);
  const observed = async () => (await releases.release(id)).waiting.map(({ code }) => code);
  await expect.poll(observed, { timeout: PATIENCE_MILLISECONDS }).toContain('soak');
  await send('POST', `releases/${id}/pause`, {});
  await expect.poll(async () => (await releases.release(id)).state).toBe('Paused');
  return releases.release(id);
}

interface ReleaseDocument {
  kind: string;
  spec: Record<string, unknown>;
}

function releaseToAll(version: string): object {
  return {
    apiVersion: 'multicluster-release.io/v1',
    kind: 'ClusterRelease',
    metadata: { name: 'all-at-once' },
    spec: {
      service: SERVICE,
      targetVersion: version,
      template: 'checkout',
      placement: 'checkout',
      policy: 'careful',
      strategy: { type: 'RollingUpdate', rollingUpdate: { mode: 'Parallel' } },
    },
  };
}

async function clusterStates(): Promise<string[]> {
  const { items } = await get<{ items: { state: string }[] }>('clusters');
  return [...new Set(items.map(({ state }) => state))];
}

async function untilFinal(id: string): Promise<ReleaseView> {
  const ended = async () => (await releases.release(id)).finishedAt !== undefined;
  await expect.poll(ended, { timeout: PATIENCE_MILLISECONDS }).toBe(true);
  return releases.release(id);
}

function get<T>(path: string): Promise<T> {
  return send('GET', path);
}

async function send<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${baseUrl()}/api/multicluster-release/${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${await guestToken()}`,
      ...(body ? { 'Content-Type': 'application/json' } : {}),
    },
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) {
    throw new Error(`${method} ${path}: ${response.status} ${text}`);
  }
  return (text ? JSON.parse(text) : undefined) as T;
}

let token: Promise<string> | undefined;

function guestToken(): Promise<string> {
  token ??= fetch(`${baseUrl()}/api/auth/guest/refresh`, { method: 'POST' })
    .then(response => response.json())
    .then(({ backstageIdentity }) => backstageIdentity.token);
  return token;
}

function baseUrl(): string {
  return `http://localhost:${process.env.E2E_PORT}`;
}
