import type { Config } from '@backstage/config';
import { systemTiming, type Timing } from '../clusters/Timing';
import type { Measurer, SingleReading } from '../ports';
import { hostOf, serverAddress } from './addresses';
import type { Question } from './fillIn';
import { measureCompared } from './measureCompared';
import type { MetricsConfig, MetricServerConfig } from './MetricsConfig';
import { MetricServer } from './MetricServer';
import { measurePrometheus, type PrometheusProvider } from './prometheus/measurePrometheus';
import { readMetricsConfig } from './readMetricsConfig';
import { measureWeb, type WebAccess } from './web/measureWeb';

export interface MeasurerOptions {
  config: Config;
  /** Default: the clock of this machine. */
  timing?: Timing;
}

/** A measurer that holds connections. */
export interface MeasurerService extends Measurer {
  /** Ends its connections, and what is read over them. */
  close(): Promise<void>;
}

/**
 * Reads measurements from Prometheus and from the web, as `multiclusterRelease.metrics`
 * of app-config says. A document never makes it ask an address that an
 * administrator has not named, and never gets a credential sent elsewhere.
 *
 * @throws InputError that names the key of app-config that is wrong
 */
export function createMeasurer({
  config,
  timing = systemTiming,
}: MeasurerOptions): MeasurerService {
  const metrics = readMetricsConfig(config);
  const servers = new Map<string, MetricServer>();
  const serverOf = (server: MetricServerConfig) => {
    const key = JSON.stringify(server);
    const known = servers.get(key) ?? new MetricServer(server, timing);
    servers.set(key, known);
    return known;
  };
  const web: WebAccess = {
    allow: metrics.webAllow,
    server: origin => serverOf({ address: origin, headers: {} }),
  };
  const measureOne = async (question: Question, signal: AbortSignal): Promise<SingleReading> => {
    const { provider } = question;
    if (provider.kind === 'web') {
      return measureWeb(web, provider, question, signal);
    }
    const chosen = choosePrometheus(metrics, provider, question);
    return 'message' in chosen
      ? refused(provider, chosen.message)
      : measurePrometheus(serverOf(chosen.server), provider, question, signal);
  };
  return {
    measure: (measurement, signal) => measureCompared(measureOne, measurement, signal),
    close: async () => {
      await Promise.all([...servers.values()].map(server => server.close()));
    },
  };
}

/** That of the metric, else that of the cluster, else the one for all. */
function choosePrometheus(
  { prometheus, clusters, allow }: MetricsConfig,
  { address }: PrometheusProvider,
  { cluster }: Question,
): { server: MetricServerConfig } | { message: string } {
  const configured = [clusters.get(cluster), prometheus].flatMap(server => server ?? []);
  if (address === undefined) {
    return configured.length > 0
      ? { server: configured[0] }
      : {
          message: `no Prometheus is known for ${cluster}; set multiclusterRelease.metrics.prometheus.address or multiclusterRelease.metrics.clusters.${cluster}.prometheus.address in app-config`,
        };
  }
  const read = serverAddress(address);
  if ('problem' in read) {
    return { message: `prometheus.address of the metric ${read.problem}` };
  }
  const known = configured.find(server => server.address === read.address);
  if (known) {
    return { server: known };
  }
  return allow.includes(read.address)
    ? { server: { address: read.address, headers: {} } }
    : {
        message: `${hostOf(
          read.address,
        )} is not a Prometheus that documents may name; an administrator adds its address to multiclusterRelease.metrics.allow`,
      };
}

/** Nothing was sent. */
function refused({ query }: PrometheusProvider, message: string): SingleReading {
  return { query, result: 'error', message };
}
