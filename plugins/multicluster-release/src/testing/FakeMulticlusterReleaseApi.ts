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
} from '../api';
import {
  exampleDocument,
  examplePlan,
  examplePreview,
  exampleStages,
  exampleSummary,
  exampleTargets,
  NOW,
} from './fixtures';

export interface SentAction {
  releaseId: string;
  action: ActionName;
  request: ActionRequest;
  idempotencyKey: string;
}

export interface SentStart {
  document: ReleaseDocument;
  options: StartOptions;
}

/** A backend in memory: answers what a test puts in, and writes down what it is sent. */
export class FakeMulticlusterReleaseApi implements MulticlusterReleaseApi {
  summary: ServiceSummary = exampleSummary();
  planDiff: DiffClass[] = examplePreview().diff;
  /** Hashes of plans. */
  readonly askedDiffs: string[] = [];
  releases: ReleaseView[] = [];
  targets: TargetView[] = exampleTargets();
  stages: StageView[] = exampleStages();
  events: EventView[] = [];
  /** Of the release; its steps are those of this plan. */
  plan: Plan = examplePlan();
  /** Oldest first. */
  measurements: MeasurementView[] = [];
  versions: VersionChoice[] = [];
  documents: ReleaseDocument[] = [exampleDocument()];
  previewAnswer: PreviewView = examplePreview();
  clusters: ClusterList = { items: [] };
  stops: StopView[] = [];
  reach: Reach = { services: 14, clusters: 212, releases: 9 };
  windows: WindowView[] = [];
  approvals: OpenApproval[] = [];
  removal: RemovalView = { targets: [], changes: [], kept: [], findings: [] };
  /** What the next call of this name is rejected with. */
  readonly failures = new Map<keyof MulticlusterReleaseApi, Error>();
  /** The id that an action answers with; undefined: that of its own release. */
  newReleaseId?: string;

  readonly sentActions: SentAction[] = [];
  readonly askedMeasurements: MeasurementQuery[] = [];
  readonly previews: ReleaseDocument[] = [];
  readonly sentStarts: SentStart[] = [];
  readonly releasedHolds: string[] = [];
  readonly sentRemovals: { target: TargetRef; options: RemovalOptions }[] = [];
  readonly sentCordons: ({ cluster: string } & CordonRequest)[] = [];
  readonly previewedStops: StopScope[] = [];
  readonly orderedStops: StopRequest[] = [];
  readonly liftedStops: { id: string; reason: string }[] = [];

  now(): number {
    return NOW;
  }

  async getSummary(): Promise<ServiceSummary> {
    this.#failIfAsked('getSummary');
    return this.summary;
  }

  async listVersions(): Promise<VersionChoice[]> {
    return this.versions;
  }

  async listReleaseDocuments(): Promise<ReleaseDocument[]> {
    return this.documents;
  }

  async listReleases({ state }: ReleaseQuery): Promise<ReleasePage> {
    this.#failIfAsked('listReleases');
    const active = this.releases.filter(({ finishedAt }) => finishedAt === undefined);
    return { items: state === 'active' ? active : [...this.releases] };
  }

  async getRelease(releaseId: string): Promise<ReleaseView> {
    this.#failIfAsked('getRelease');
    const release = this.releases.find(({ id }) => id === releaseId);
    if (!release) {
      throw new Error(`The fake has no release ${releaseId}`);
    }
    return release;
  }

  async listTargets(): Promise<TargetView[]> {
    return this.targets;
  }

  async listStages(): Promise<StageView[]> {
    return this.stages;
  }

  async listEvents(): Promise<EventView[]> {
    return this.events;
  }

  async listSteps(): Promise<NumberedStep[]> {
    this.#failIfAsked('listSteps');
    const { number, stages } = this.plan;
    return stages.flatMap(({ index, steps }) =>
      steps.map(({ id, instruction, scope }) => ({
        ...{ plan: number, stage: index },
        ...{ id, instruction, scope },
      })),
    );
  }

  async getPlan(): Promise<Plan> {
    this.#failIfAsked('getPlan');
    return this.plan;
  }

  async listMeasurements(
    _releaseId: string,
    { gate, before = Infinity, limit = 500 }: MeasurementQuery,
  ): Promise<MeasurementView[]> {
    this.askedMeasurements.push({ gate, before, limit });
    this.#failIfAsked('listMeasurements');
    return this.measurements
      .filter(each => (gate === undefined || each.gate === gate) && each.id < before)
      .slice(-limit);
  }

  async getPlanDiff(_service: string, planHash: string): Promise<DiffClass[]> {
    this.askedDiffs.push(planHash);
    this.#failIfAsked('getPlanDiff');
    return this.planDiff;
  }

  async preview(_service: string, document: ReleaseDocument): Promise<PreviewView> {
    this.previews.push(document);
    this.#failIfAsked('preview');
    return this.previewAnswer;
  }

  async start(
    _service: string,
    document: ReleaseDocument,
    options: StartOptions,
  ): Promise<{ id: string }> {
    this.sentStarts.push({ document, options });
    this.#failIfAsked('start');
    return { id: this.newReleaseId ?? 'r-new' };
  }

  async act(
    releaseId: string,
    action: ActionName,
    request: ActionRequest,
    idempotencyKey: string,
  ): Promise<{ id: string }> {
    this.sentActions.push({ releaseId, action, request, idempotencyKey });
    this.#failIfAsked('act');
    return { id: this.newReleaseId ?? releaseId };
  }

  async releaseHold(holdId: string): Promise<void> {
    this.releasedHolds.push(holdId);
    const holds = this.summary.holds.filter(({ id }) => id !== holdId);
    this.summary = { ...this.summary, holds };
    this.versions = this.versions.map(choice =>
      choice.hold?.id === holdId ? { ...choice, hold: undefined } : choice,
    );
  }

  async previewRemoval(_service: string, target: TargetRef): Promise<RemovalView> {
    this.#failIfAsked('previewRemoval');
    return { ...this.removal, targets: [target] };
  }

  async removeFromCluster(
    _service: string,
    target: TargetRef,
    options: RemovalOptions,
  ): Promise<{ id: string }> {
    this.sentRemovals.push({ target, options });
    this.#failIfAsked('removeFromCluster');
    return { id: this.newReleaseId ?? 'r-removal' };
  }

  async listApprovals(): Promise<OpenApproval[]> {
    this.#failIfAsked('listApprovals');
    return this.approvals;
  }

  async listClusters(): Promise<ClusterList> {
    this.#failIfAsked('listClusters');
    return this.clusters;
  }

  async cordonCluster(cluster: string, request: CordonRequest): Promise<void> {
    this.sentCordons.push({ cluster, ...request });
    this.#failIfAsked('cordonCluster');
  }

  async listStops(): Promise<StopView[]> {
    this.#failIfAsked('listStops');
    return this.stops;
  }

  async previewStop(scope: StopScope): Promise<Reach> {
    this.previewedStops.push(scope);
    this.#failIfAsked('previewStop');
    return this.reach;
  }

  async orderStop(request: StopRequest): Promise<void> {
    this.orderedStops.push(request);
    this.#failIfAsked('orderStop');
  }

  async liftStop(id: string, reason: string): Promise<void> {
    this.liftedStops.push({ id, reason });
    this.stops = this.stops.filter(stop => stop.id !== id);
  }

  async listWindows(): Promise<WindowView[]> {
    return this.windows;
  }

  #failIfAsked(method: keyof MulticlusterReleaseApi): void {
    const failure = this.failures.get(method);
    if (failure) {
      this.failures.delete(method);
      throw failure;
    }
  }
}
