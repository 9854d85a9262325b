import type { DiscoveryApi, FetchApi } from '@backstage/frontend-plugin-api';
import { parseEntityRef } from '@backstage/catalog-model';
import { ResponseError } from '@backstage/errors';
import type {
  ActionName,
  ActionRequest,
  CordonRequest,
  DiffClass,
  EventView,
  MeasurementView,
  OpenApproval,
  Plan,
  PreviewView,
  Reach,
  ReleaseView,
  RemovalView,
  ServiceSummary,
  StageView,
  StopRequest,
  StopScope,
  StopView,
  TargetRef,
  TargetView,
  VersionChoice,
  WindowView,
} from 'backstage-plugin-multicluster-release-common';
import type {
  ClusterList,
  MeasurementQuery,
  MulticlusterReleaseApi,
  NumberedStep,
  ReleaseDocument,
  ReleasePage,
  ReleaseQuery,
  RemovalOptions,
  StartOptions,
} from './MulticlusterReleaseApi';

const PLUGIN_ID = 'multicluster-release';
/** Answers kept for `If-None-Match`; a page reads far fewer different ones. */
const REMEMBERED_ANSWERS = 100;
const PAGE_SIZE = 500;

interface Items<T> {
  items: T[];
  nextCursor?: string;
}

type Query = Record<string, string | number | boolean | undefined>;

/**
 * Talks to the backend over HTTP. An unchanged answer (304) is given back as
 * the very same object, so that a page that polls renders nothing anew.
 *
 * @public
 */
export class MulticlusterReleaseClient implements MulticlusterReleaseApi {
  readonly #discoveryApi: DiscoveryApi;
  readonly #fetchApi: FetchApi;
  readonly #clock: () => number;
  readonly #answers = new Map<string, { etag: string; body: unknown }>();
  #serverAheadMilliseconds = 0;

  constructor(options: {
    discoveryApi: DiscoveryApi;
    fetchApi: FetchApi;
    /** Epoch milliseconds of this machine; default: the browser's clock. */
    clock?: () => number;
  }) {
    this.#discoveryApi = options.discoveryApi;
    this.#fetchApi = options.fetchApi;
    this.#clock = options.clock ?? Date.now;
  }

  now(): number {
    return this.#clock() + this.#serverAheadMilliseconds;
  }

  getSummary(service: string): Promise<ServiceSummary> {
    return this.#get(`${servicePath(service)}/summary`);
  }

  async listVersions(service: string): Promise<VersionChoice[]> {
    const answer = await this.#get<Items<VersionChoice>>(`${servicePath(service)}/versions`);
    return answer.items;
  }

  async listReleaseDocuments(service: string): Promise<ReleaseDocument[]> {
    try {
      const path = `${servicePath(service)}/definition`;
      const { documents } = await this.#get<{ documents: ReleaseDocument[] }>(path);
      return documents.filter(({ kind }) => kind === 'ClusterRelease');
    } catch (error) {
      if (error instanceof ResponseError && error.response.status === 404) {
        return [];
      }
      throw error;
    }
  }

  listReleases(query: ReleaseQuery): Promise<ReleasePage> {
    return this.#get('releases', { ...query });
  }

  getRelease(releaseId: string): Promise<ReleaseView> {
    return this.#get(releasePath(releaseId));
  }

  listTargets(releaseId: string): Promise<TargetView[]> {
    return this.#all(`${releasePath(releaseId)}/targets`);
  }

  listStages(releaseId: string): Promise<StageView[]> {
    return this.#all(`${releasePath(releaseId)}/stages`);
  }

  async listEvents(releaseId: string, after?: number): Promise<EventView[]> {
    const path = `${releasePath(releaseId)}/events`;
    const events: EventView[] = [];
    let last = after;
    for (;;) {
      const query = { after: last, limit: PAGE_SIZE };
      const { items } = await this.#get<Items<EventView>>(path, query);
      events.push(...items);
      if (items.length < PAGE_SIZE) {
        return events;
      }
      last = items[items.length - 1].id;
    }
  }

  listSteps(releaseId: string): Promise<NumberedStep[]> {
    return this.#all(`${releasePath(releaseId)}/steps`);
  }

  getPlan(releaseId: string, number?: number): Promise<Plan> {
    return this.#get(`${releasePath(releaseId)}/plan`, { number });
  }

  async listMeasurements(releaseId: string, query: MeasurementQuery): Promise<MeasurementView[]> {
    const path = `${releasePath(releaseId)}/measurements`;
    const { items } = await this.#get<Items<MeasurementView>>(path, { ...query });
    return items;
  }

  async getPlanDiff(service: string, planHash: string): Promise<DiffClass[]> {
    const path = `plans/${encodeURIComponent(planHash)}/diff`;
    const { items } = await this.#get<Items<DiffClass>>(path, { service });
    return items;
  }

  preview(service: string, document: ReleaseDocument): Promise<PreviewView> {
    return this.#send('POST', 'releases', { service, dryRun: true }, document);
  }

  start(
    service: string,
    document: ReleaseDocument,
    options: StartOptions,
  ): Promise<{ id: string }> {
    const query = { service, planHash: options.planHash, reason: options.reason };
    return this.#send('POST', 'releases', query, document, options.idempotencyKey);
  }

  async act(
    releaseId: string,
    action: ActionName,
    request: ActionRequest,
    idempotencyKey: string,
  ): Promise<{ id: string }> {
    const answer = await this.#send<{ id?: string } | undefined>(
      'POST',
      `${releasePath(releaseId)}/${action}`,
      {},
      request,
      idempotencyKey,
    );
    return { id: answer?.id ?? releaseId };
  }

  async releaseHold(holdId: string): Promise<void> {
    await this.#send('DELETE', `holds/${encodeURIComponent(holdId)}`, {});
  }

  previewRemoval(service: string, target: TargetRef): Promise<RemovalView> {
    const query = { dryRun: true, targetNamespace: target.namespace };
    return this.#send('DELETE', removalPath(service, target), query);
  }

  removeFromCluster(
    service: string,
    target: TargetRef,
    { reason, last, idempotencyKey }: RemovalOptions,
  ): Promise<{ id: string }> {
    const query = { targetNamespace: target.namespace, reason, last: last || undefined };
    return this.#send('DELETE', removalPath(service, target), query, undefined, idempotencyKey);
  }

  listApprovals(): Promise<OpenApproval[]> {
    return this.#all('approvals');
  }

  listClusters(): Promise<ClusterList> {
    return this.#get('clusters', { limit: PAGE_SIZE });
  }

  async cordonCluster(cluster: string, request: CordonRequest): Promise<void> {
    await this.#send('PATCH', `clusters/${encodeURIComponent(cluster)}`, {}, request);
  }

  listStops(): Promise<StopView[]> {
    return this.#all('stops');
  }

  async previewStop(scope: StopScope): Promise<Reach> {
    const { reach } = await this.#send<{ reach: Reach }>('POST', 'stops/preview', {}, { scope });
    return reach;
  }

  async orderStop(request: StopRequest): Promise<void> {
    await this.#send('POST', 'stops', {}, request);
  }

  async liftStop(stopId: string, reason: string): Promise<void> {
    await this.#send('DELETE', `stops/${encodeURIComponent(stopId)}`, { reason });
  }

  listWindows(): Promise<WindowView[]> {
    return this.#all('windows');
  }

  /** Reads all pages of a list. */
  async #all<T>(path: string): Promise<T[]> {
    const first = await this.#get<Items<T>>(path, { limit: PAGE_SIZE });
    if (!first.nextCursor) {
      return first.items;
    }
    const items = [...first.items];
    let cursor: string | undefined = first.nextCursor;
    while (cursor) {
      const page: Items<T> = await this.#get(path, { limit: PAGE_SIZE, cursor });
      items.push(...page.items);
      cursor = page.nextCursor;
    }
    return items;
  }

  async #get<T>(path: string, query: Query = {}): Promise<T> {
    const url = await this.#url(path, query);
    const known = this.#answers.get(url);
    const response = await this.#fetchApi.fetch(url, {
      headers: known ? { 'If-None-Match': known.etag } : {},
      // The browser's own cache would turn a 304 into a new copy of the body.
      cache: 'no-store',
    });
    this.#hearClock(response);
    if (response.status === 304 && known) {
      return known.body as T;
    }
    if (!response.ok) {
      throw await ResponseError.fromResponse(response);
    }
    const body = await response.json();
    this.#remember(url, response.headers.get('ETag'), body);
    return body as T;
  }

  async #send<T>(
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    query: Query,
    body?: unknown,
    idempotencyKey?: string,
  ): Promise<T> {
    const headers: Record<string, string> = {};
    if (body !== undefined) {
      headers['Content-Type'] = 'application/json';
    }
    if (idempotencyKey) {
      headers['Idempotency-Key'] = idempotencyKey;
    }
    const response = await this.#fetchApi.fetch(await this.#url(path, query), {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    this.#hearClock(response);
    if (!response.ok) {
      throw await ResponseError.fromResponse(response);
    }
    const text = await response.text();
    return (text ? JSON.parse(text) : undefined) as T;
  }

  async #url(path: string, query: Query): Promise<string> {
    const base = await this.#discoveryApi.getBaseUrl(PLUGIN_ID);
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) {
        parameters.set(name, String(value));
      }
    }
    const search = parameters.toString();
    return search ? `${base}/${path}?${search}` : `${base}/${path}`;
  }

  #remember(url: string, etag: string | null, body: unknown): void {
    this.#answers.delete(url);
    if (!etag) {
      return;
    }
    this.#answers.set(url, { etag, body });
    if (this.#answers.size > REMEMBERED_ANSWERS) {
      const [oldest] = this.#answers.keys();
      this.#answers.delete(oldest);
    }
  }

  /** The Date header has whole seconds: a difference below one second says nothing. */
  #hearClock(response: Response): void {
    const server = Date.parse(response.headers.get('Date') ?? '');
    if (Number.isNaN(server)) {
      return;
    }
    const ahead = server - this.#clock();
    this.#serverAheadMilliseconds = Math.abs(ahead) < 2_000 ? 0 : ahead;
  }
}

function servicePath(service: string): string {
  const { kind, namespace, name } = parseEntityRef(service);
  return `services/${[kind, namespace, name].map(encodeURIComponent).join('/')}`;
}

function removalPath(service: string, { cluster }: TargetRef): string {
  return `${servicePath(service)}/clusters/${encodeURIComponent(cluster)}`;
}

function releasePath(releaseId: string): string {
  return `releases/${encodeURIComponent(releaseId)}`;
}
