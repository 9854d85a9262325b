import type { LoggerService } from '@backstage/backend-plugin-api';
import type { ClusterView } from 'backstage-plugin-multicluster-release-common';
import { ClusterError } from '../errors/ClusterError';
import type { ProbeConfig } from '../registry/ClustersConfig';
import type { Timing } from '../Timing';
import type { ClusterInfo, ClusterProber, ClusterRegistry } from '../types';
import { Lane } from './Lane';
import { firstStatus, nextStatus, type ProbedStatus, type ProbeResult } from './nextStatus';
import { probeCluster } from './probeCluster';

/**
 * Clusters that answer and clusters that do not wait in different lanes, so
 * that a fleet full of hanging clusters never delays a healthy one.
 */
const HEALTHY_LANE_WIDTH = 32;
const AILING_LANE_WIDTH = 32;
/** After a first failure we look again soon: most are over at once. */
const SECOND_LOOK_MILLISECONDS = 3_000;

export interface DefaultClusterProberOptions {
  registry: Pick<ClusterRegistry, 'list' | 'get' | 'onChange'>;
  probe: ProbeConfig;
  timing: Timing;
  logger: Pick<LoggerService, 'error' | 'info'>;
  /** A status changed in more than its time. */
  onChange(status: ClusterView): void;
}

interface Probed {
  info: ClusterInfo;
  status: ProbedStatus;
  listedSince: number;
  usageReadAt: number | undefined;
  failures: number;
  ending: AbortController;
  cancelTimer: () => void;
}

/** Looks at every listed cluster again and again; each has its own rhythm. */
export class DefaultClusterProber implements ClusterProber {
  private readonly probed = new Map<string, Probed>();
  private readonly healthyLane = new Lane(HEALTHY_LANE_WIDTH);
  private readonly ailingLane = new Lane(AILING_LANE_WIDTH);
  private readonly underWay = new Set<Promise<void>>();
  private stopListening: () => void = () => {};

  constructor(private readonly options: DefaultClusterProberOptions) {}

  start(): void {
    this.stopListening();
    this.stopListening = this.options.registry.onChange(() => this.follow());
    this.follow();
  }

  status(name: string): ClusterView | undefined {
    const probed = this.probed.get(name);
    return probed && toView(probed);
  }

  all(): ClusterView[] {
    return [...this.probed.values()].map(toView);
  }

  async close(): Promise<void> {
    this.stopListening();
    for (const name of [...this.probed.keys()]) {
      this.drop(name);
    }
    await Promise.all(this.underWay);
  }

  /** Takes the list as it is now. */
  private follow(): void {
    const { clusters } = this.options.registry.list();
    const names = new Set(clusters.map(cluster => cluster.name));
    for (const name of [...this.probed.keys()]) {
      if (!names.has(name)) {
        this.drop(name);
      }
    }
    for (const info of clusters) {
      const probed = this.probed.get(info.name);
      if (!probed) {
        this.add(info);
      } else if (probed.info.refused === info.refused) {
        probed.info = info;
      } else {
        this.drop(info.name);
        this.add(info);
      }
    }
  }

  private add(info: ClusterInfo): void {
    const now = this.options.timing.now();
    const probed: Probed = {
      info,
      status: firstStatus(info, now),
      listedSince: now,
      usageReadAt: undefined,
      failures: 0,
      ending: new AbortController(),
      cancelTimer: () => {},
    };
    this.probed.set(info.name, probed);
    this.tell(probed);
    // A refused cluster is not dialled until its configuration changes.
    if (info.refused === undefined) {
      this.launch(probed);
    }
  }

  private drop(name: string): void {
    const probed = this.probed.get(name);
    this.probed.delete(name);
    probed?.cancelTimer();
    probed?.ending.abort();
  }

  private launch(probed: Probed): void {
    const work = this.look(probed)
      .catch(error => {
        this.options.logger.error(
          `${probed.info.name}: a probe ended by a fault of its own`,
          asError(error),
        );
        this.schedule(probed);
      })
      .finally(() => this.underWay.delete(work));
    this.underWay.add(work);
  }

  private async look(probed: Probed): Promise<void> {
    const lane = probed.failures === 0 ? this.healthyLane : this.ailingLane;
    const result = await lane.run(() => this.ask(probed));
    if (probed.ending.signal.aborted) {
      return;
    }
    this.settle(probed, result);
    this.schedule(probed);
  }

  private async ask(probed: Probed): Promise<ProbeResult> {
    const { probe, registry, timing } = this.options;
    const { usageReadAt } = probed;
    const withUsage =
      usageReadAt === undefined || timing.now() - usageReadAt >= probe.usageIntervalSeconds * 1_000;
    try {
      const answer = await probeCluster(registry.get(probed.info.name), {
        timeoutMilliseconds: probe.timeoutSeconds * 1_000,
        withUsage,
        signal: probed.ending.signal,
      });
      if (withUsage) {
        probed.usageReadAt = timing.now();
      }
      return { answer };
    } catch (error) {
      if (error instanceof ClusterError) {
        return { error };
      }
      throw error;
    }
  }

  private settle(probed: Probed, result: ProbeResult): void {
    const { timing, probe } = this.options;
    const before = probed.status;
    probed.failures = 'answer' in result ? 0 : probed.failures + 1;
    probed.status = nextStatus(before, result, {
      now: timing.now(),
      listedSince: probed.listedSince,
      startGraceMilliseconds: probe.startGraceSeconds * 1_000,
    });
    if (withoutTime(before) !== withoutTime(probed.status)) {
      this.tell(probed);
    }
  }

  private schedule(probed: Probed): void {
    if (probed.ending.signal.aborted) {
      return;
    }
    const { timing, probe } = this.options;
    const interval = probe.intervalSeconds * 1_000;
    const waitMilliseconds =
      probed.failures === 1 || probed.status.state === 'starting'
        ? Math.min(interval, SECOND_LOOK_MILLISECONDS)
        : interval;
    // Chance keeps a thousand clusters from being asked in the same instant.
    probed.cancelTimer = timing.after(waitMilliseconds * (0.9 + timing.random() / 5), () => {
      this.launch(probed);
    });
  }

  private tell(probed: Probed): void {
    try {
      this.options.onChange(toView(probed));
    } catch (error) {
      this.options.logger.error('a listener of cluster status failed', asError(error));
    }
  }
}

function toView({ info, status }: Probed): ClusterView {
  const { name, title, region, labels } = info;
  return { name, title, region, labels, ...status };
}

function withoutTime(status: ProbedStatus): string {
  return JSON.stringify({ ...status, reportedAt: undefined });
}

function asError(error: unknown): Error | undefined {
  return error instanceof Error ? error : undefined;
}
