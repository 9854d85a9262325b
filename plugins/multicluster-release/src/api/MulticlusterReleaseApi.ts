import { createApiRef } from '@backstage/frontend-plugin-api';
import type {
  ActionName,
  ActionRequest,
  ClusterView,
  CordonRequest,
  DiffClass,
  EventView,
  MeasurementView,
  OpenApproval,
  Plan,
  PlanStep,
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

/**
 * A ClusterRelease document as it stands in the service's own documents.
 *
 * @public
 */
export interface ReleaseDocument {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec: Record<string, unknown>;
}

/** @public */
export interface ReleasePage {
  items: ReleaseView[];
  /** Undefined on the last page. */
  nextCursor?: string;
}

/** @public */
export interface ClusterList {
  items: ClusterView[];
  /** The list itself is old: it could not be read anew. */
  stale?: boolean;
  /** Why, in English. */
  message?: string;
  /** When the list was last read; undefined: never yet. */
  listedAt?: number;
}

/** @public */
export interface ReleaseQuery {
  /** Entity reference. */
  service?: string;
  /** `active`: only releases that have not ended. */
  state?: 'active';
  limit?: number;
  cursor?: string;
}

/** @public */
export interface MeasurementQuery {
  /** Id of a step; undefined: of all gates. */
  gate?: string;
  /** Only readings with a smaller id. */
  before?: number;
  /** 1–500; default 500. */
  limit?: number;
}

/**
 * An instruction of one of the plans of a release.
 *
 * @public
 */
export interface NumberedStep extends Pick<PlanStep, 'id' | 'instruction' | 'scope'> {
  /** Number of its plan. */
  plan: number;
  stage: number;
}

/** @public */
export interface StartOptions {
  /** Only what was previewed is started; else 409 `PlanChanged`. */
  planHash: string;
  /** Up to 2,000 characters. */
  reason?: string;
  /** One per intended click: a repeated request answers with the same release. */
  idempotencyKey: string;
}

/** @public */
export interface RemovalOptions {
  reason: string;
  /** It is meant that the service then runs nowhere. */
  last: boolean;
  /** One per intended click. */
  idempotencyKey: string;
}

/**
 * What our pages ask of the backend. Services are catalog entity references
 * (`component:default/checkout`), times epoch milliseconds. Every method
 * rejects with `ResponseError` of `@backstage/errors` where the server refuses.
 *
 * @public
 */
export interface MulticlusterReleaseApi {
  /** The server's clock as last heard; countdowns and ages are measured with it. */
  now(): number;
  getSummary(service: string): Promise<ServiceSummary>;
  listVersions(service: string): Promise<VersionChoice[]>;
  /** The ClusterRelease documents of the service; empty where it has none. */
  listReleaseDocuments(service: string): Promise<ReleaseDocument[]>;
  listReleases(query: ReleaseQuery): Promise<ReleasePage>;
  getRelease(releaseId: string): Promise<ReleaseView>;
  listTargets(releaseId: string): Promise<TargetView[]>;
  listStages(releaseId: string): Promise<StageView[]>;
  /** Oldest first; `after` is the id of the last event that is known. */
  listEvents(releaseId: string, after?: number): Promise<EventView[]>;
  /** Every instruction of every plan, in order. */
  listSteps(releaseId: string): Promise<NumberedStep[]>;
  /** @param number - default: of the newest plan, which may be one that leads back */
  getPlan(releaseId: string, number?: number): Promise<Plan>;
  /** What metric gates have read: the newest, oldest of them first. */
  listMeasurements(releaseId: string, query: MeasurementQuery): Promise<MeasurementView[]>;
  /** What a plan changes, as it was previewed; rejects with 404 where no preview of it is kept. */
  getPlanDiff(service: string, planHash: string): Promise<DiffClass[]>;
  preview(service: string, document: ReleaseDocument): Promise<PreviewView>;
  start(service: string, document: ReleaseDocument, options: StartOptions): Promise<{ id: string }>;
  /** Answers the release to show next: a new one where a final release was rolled back. */
  act(
    releaseId: string,
    action: ActionName,
    request: ActionRequest,
    idempotencyKey: string,
  ): Promise<{ id: string }>;
  releaseHold(holdId: string): Promise<void>;
  /** What taking the service off a cluster would remove; nothing is done. */
  previewRemoval(service: string, target: TargetRef): Promise<RemovalView>;
  /** Takes the service off a cluster; answers the release that does it. */
  removeFromCluster(
    service: string,
    target: TargetRef,
    options: RemovalOptions,
  ): Promise<{ id: string }>;
  /** Questions that are open now, of the services that the viewer sees. */
  listApprovals(): Promise<OpenApproval[]>;
  listClusters(): Promise<ClusterList>;
  /** Takes a cluster out, or lets it take releases again. */
  cordonCluster(cluster: string, request: CordonRequest): Promise<void>;
  /** Emergency stops that are in force. */
  listStops(): Promise<StopView[]>;
  /** How far a stop would go; nothing is ordered. */
  previewStop(scope: StopScope): Promise<Reach>;
  orderStop(request: StopRequest): Promise<void>;
  liftStop(stopId: string, reason: string): Promise<void>;
  /** Release windows of the platform. */
  listWindows(): Promise<WindowView[]>;
}

/** @public */
export const multiclusterReleaseApiRef = createApiRef<MulticlusterReleaseApi>().with({
  id: 'plugin.multicluster-release.service',
  pluginId: 'multicluster-release',
});
