/*
 * How the hands reach one cluster. Everything travels as raw JSON, so that keys
 * which typed models do not know survive (field case C03). Only this folder dials.
 */
import type { ClusterView } from 'backstage-plugin-multicluster-release-common';
import type { KubernetesObject } from '../ports';

/** A request to one API server. */
export interface ClusterRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Absolute, without query, for example `/apis/apps/v1/namespaces/shop/deployments/web`. */
  path: string;
  /** Entries that are undefined are left out. */
  query?: Record<string, string | number | boolean | undefined>;
  /** Objects are sent as JSON, key for key; a string is sent as it is. */
  body?: object | string;
  /** Default `application/json`; server-side apply wants `application/apply-patch+yaml`. */
  contentType?: string;
  headers?: Record<string, string>;
  /** From the start of the request to the end of its answer; default 10 s. */
  timeoutMilliseconds?: number;
  signal?: AbortSignal;
  /** What errors call the object, for example `Deployment/shop/web`; default: read from the path. */
  subject?: string;
}

export interface ClusterResponse<T = unknown> {
  status: number;
  /** The parsed JSON; the text where the answer is not JSON. */
  body: T;
  headers: Record<string, string>;
}

/** Where objects of one kind are served. */
export interface ApiResource {
  /** `/api/v1` or `/apis/<group>/<version>`. */
  pathPrefix: string;
  plural: string;
  kind: string;
  apiVersion: string;
  namespaced: boolean;
  verbs: string[];
}

export interface WatchOptions {
  /** A collection, for example `/apis/apps/v1/deployments`. */
  path: string;
  labelSelector?: string;
  fieldSelector?: string;
  signal?: AbortSignal;
}

export interface WatchChange {
  type: 'added' | 'modified' | 'deleted';
  /** As the API server sent it, with apiVersion and kind; for `deleted` the last known one. */
  object: KubernetesObject;
}

/**
 * - `listing`: the first list is under way.
 * - `live`: the objects are those of the API server.
 * - `stale`: the stream is gone or silent; the objects are old and decide nothing (C22).
 */
export interface WatchState {
  phase: 'listing' | 'live' | 'stale';
  /** Set while stale: since when the objects may be out of date; epoch milliseconds. */
  staleSince?: number;
  /** Last list, event or bookmark; epoch milliseconds. */
  heardAt?: number;
  /** Why it is not live. */
  error?: ClusterErrorLike;
}

export interface WatchHandler {
  /** Called with what changed, deletions during a gap included; never with an empty list. */
  onChanges(changes: WatchChange[]): void;
  /** Called at every change of phase, and when a stale watch stays so for another kind of error. */
  onState?(state: WatchState): void;
}

export interface WatchHandle {
  state(): WatchState;
  /** What is known, also while stale. */
  objects(): KubernetesObject[];
  /** Ends this handle; the stream ends with its last handle. */
  close(): void;
}

/** Reaches one cluster. Methods throw ClusterError (see ClusterError.ts) and nothing else. */
export interface ClusterClient {
  readonly name: string;
  /** One request, never tried again: whether to retry is the caller's business (`ClusterError.retryable`). */
  request<T = unknown>(request: ClusterRequest): Promise<ClusterResponse<T>>;
  /** Lists and watches, and recovers by itself until closed. Equal watches share one stream. */
  watch(options: WatchOptions, handler: WatchHandler): WatchHandle;
  /** From discovery, cached and read again once on a miss; undefined: the cluster does not serve the kind. */
  resource(apiVersion: string, kind: string): Promise<ApiResource | undefined>;
}

export type ClusterErrorKind =
  /** No connection, or it broke. */
  | 'unreachable'
  | 'timeout'
  /** The caller's signal ended the request. */
  | 'aborted'
  /** 401: the credentials are not accepted. */
  | 'unauthorized'
  /** 403: the identity may not do this. */
  | 'forbidden'
  | 'notFound'
  /** 409: resourceVersion, uid, field manager, or it exists already; see `reason` and `causes`. */
  | 'conflict'
  /** 410: the list or watch position is too old. */
  | 'gone'
  /** 400, 422 and other 4xx: the same request will be refused again. */
  | 'invalid'
  /** 429. */
  | 'throttled'
  /** 5xx, or an answer that makes no sense. */
  | 'server'
  /** Our own configuration does not let us use this cluster (C15). */
  | 'refusedByConfiguration';

export interface ClusterErrorCause {
  /** A field path, for example `spec.selector`. */
  field?: string;
  reason?: string;
  /** Left out for Secrets. */
  message?: string;
}

/** What ClusterError carries, also where only its shape travels. */
export interface ClusterErrorLike {
  cluster: string;
  kind: ClusterErrorKind;
  message: string;
  /** HTTP status, where the API server answered. */
  status?: number;
  /** Kubernetes' reason, for example `AlreadyExists`. */
  reason?: string;
  causes: ClusterErrorCause[];
  /** The same request may succeed later. */
  retryable: boolean;
  /** What the API server asked for with 429 or 503. */
  retryAfterSeconds?: number;
}

export type ClusterSource = 'configuration' | 'kubeconfig' | 'kubernetesPlugin';

export interface ClusterInfo {
  name: string;
  title?: string;
  region?: string;
  position?: { latitude: number; longitude: number };
  labels: Record<string, string>;
  /** Groups of clusters that app-config puts it in; undefined: none. */
  groups?: string[];
  source: ClusterSource;
  /** Why the configuration does not let us use it; such a cluster is listed and not dialled. */
  refused?: string;
}

/**
 * The clusters, with how far the list can be trusted (C07): while there is a
 * problem these are the last known ones, previews and starts refuse, and nothing
 * is removed anywhere.
 */
export interface ListedClusters {
  clusters: ClusterInfo[];
  stale: boolean;
  problem?: 'listing-failed' | 'suddenly-empty';
  message?: string;
  /** When the list was last good; epoch milliseconds; undefined: never. */
  listedAt?: number;
}

export interface ClusterRegistry {
  list(): ListedClusters;
  /** @throws NotFoundError that names the known clusters. A refused cluster has a client; its calls throw. */
  get(name: string): ClusterClient;
  /** Reads the sources again; never throws: problems show in `list()`. */
  refresh(): Promise<void>;
  /** A person says that a suddenly empty list is right. */
  confirmEmpty(): void;
  /** Calls back when the list or its trustworthiness changes; answers the way to stop. */
  onChange(callback: () => void): () => void;
  close(): Promise<void>;
}

/** Keeps the status of every cluster, each independent of the others. */
export interface ClusterProber {
  start(): void;
  /** undefined: not listed. */
  status(name: string): ClusterView | undefined;
  all(): ClusterView[];
  close(): Promise<void>;
}
