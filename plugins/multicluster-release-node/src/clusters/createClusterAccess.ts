import type { AuthService, DiscoveryService, LoggerService } from '@backstage/backend-plugin-api';
import type { Config } from '@backstage/config';
import { InputError } from '@backstage/errors';
import type { ClusterView } from 'backstage-plugin-multicluster-release-common';
import { DefaultClusterProber } from './prober/DefaultClusterProber';
import type { ClustersConfig } from './registry/ClustersConfig';
import { ConfigurationReader, inClusterPlace } from './registry/ConfigurationReader';
import { DefaultClusterRegistry, type ListingMemory } from './registry/DefaultClusterRegistry';
import { KubeconfigReader } from './registry/KubeconfigReader';
import { KubernetesPluginReader } from './registry/KubernetesPluginReader';
import { makeTransport } from './registry/makeTransport';
import { readClustersConfig } from './registry/readClustersConfig';
import type { ClusterRefusal, ClusterSourceReader } from './registry/types';
import { systemTiming, type Timing } from './Timing';
import { KubernetesPlugin } from './transport/KubernetesPlugin';
import type { ClusterProber, ClusterRegistry } from './types';

export interface ClusterAccessOptions {
  config: Config;
  logger: LoggerService;
  /** Both are needed for clusters of the kubernetes plugin, and only for those. */
  auth?: Pick<AuthService, 'getPluginRequestToken' | 'getOwnServiceCredentials'>;
  discovery?: Pick<DiscoveryService, 'getBaseUrl'>;
  /** Default: the clock of this machine. */
  timing?: Timing;
  /** For the audit log: a configuration that is not followed (C15). */
  onRefusal?(refusal: ClusterRefusal): void;
  /** What sources listed before this process started. */
  memory?: ListingMemory;
  /** The prober found something new. */
  onStatus?(status: ClusterView): void;
}

/** Everything that reaches clusters, made from app-config. */
export interface ClusterAccessServices {
  registry: ClusterRegistry;
  prober: ClusterProber;
  /** Lists for the first time and starts to probe. Throws nothing: problems show in `registry.list()`. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** @throws Error that names the key of app-config that is wrong */
export function createClusterAccess(options: ClusterAccessOptions): ClusterAccessServices {
  const { logger, auth, discovery, timing = systemTiming } = options;
  const config = readClustersConfig(options.config);
  const kubernetesPlugin = auth && discovery && new KubernetesPlugin(auth, discovery, timing);
  const registry = new DefaultClusterRegistry({
    configured: config.clusters,
    sources: sourcesOf(config, kubernetesPlugin),
    makeTransport: (cluster, access) =>
      makeTransport(cluster, access, { timing, kubernetesPlugin }),
    timing,
    logger,
    memory: options.memory,
    onRefusal: refusal => options.onRefusal?.(refusal),
  });
  const prober = new DefaultClusterProber({
    registry,
    probe: config.probe,
    timing,
    logger,
    onChange: status => options.onStatus?.(status),
  });
  return {
    registry,
    prober,
    start: async () => {
      await registry.refresh();
      prober.start();
    },
    close: async () => {
      await prober.close();
      await registry.close();
    },
  };
}

function sourcesOf(
  config: ClustersConfig,
  plugin: KubernetesPlugin | undefined,
): ClusterSourceReader[] {
  const sources: ClusterSourceReader[] = [];
  if (config.clusters.some(cluster => cluster.access !== undefined)) {
    sources.push(new ConfigurationReader(config, inClusterPlace()));
  }
  if (config.kubeconfig) {
    sources.push(new KubeconfigReader(config.kubeconfig, config.allow));
  }
  if (config.kubernetesPlugin) {
    if (!plugin) {
      throw new InputError(
        'multiclusterRelease.kubernetesPlugin is true, but this process cannot reach Backstage; list the clusters in multiclusterRelease.clusters',
      );
    }
    sources.push(new KubernetesPluginReader(plugin));
  }
  return sources;
}
