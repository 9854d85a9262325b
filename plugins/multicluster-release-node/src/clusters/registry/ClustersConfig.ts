/** `multiclusterRelease` of app-config.yaml, the part about clusters; see docs/configuration-clusters.md. */
export interface ClustersConfig {
  clusters: ConfiguredCluster[];
  kubeconfig?: {
    path: string;
    /** Only these; undefined: every context. */
    contexts?: string[];
    /** Contexts whose name ends so are left out. */
    ignoreContextSuffixes: string[];
  };
  /** List the clusters of the kubernetes plugin, too. */
  kubernetesPlugin: boolean;
  allow: AllowedAccess;
  probe: ProbeConfig;
}

/** Names of clusters or kubeconfig contexts, each list for one thing that is refused elsewhere. */
export interface AllowedAccess {
  exec: string[];
  insecureTls: string[];
  http: string[];
}

export interface ProbeConfig {
  intervalSeconds: number;
  timeoutSeconds: number;
  /** How often the pods are read for the capacity in use. */
  usageIntervalSeconds: number;
  /** A cluster that has never answered counts as `starting` for so long. */
  startGraceSeconds: number;
}

export interface ConfiguredCluster {
  name: string;
  title?: string;
  region?: string;
  position?: { latitude: number; longitude: number };
  labels: Record<string, string>;
  /** Groups of clusters that an emergency stop can name; undefined: in none. */
  groups?: string[];
  /** undefined: another source lists the cluster, and this entry describes it. */
  access?: ConfiguredAccess;
}

export type ConfiguredAccess =
  | { type: 'kubeconfig'; path: string; context: string }
  | {
      type: 'token';
      server: string;
      tokenFile: string;
      caFile?: string;
      /** Base64 of PEM, as in a kubeconfig. */
      caData?: string;
      tlsServerName?: string;
      insecureSkipTlsVerify: boolean;
    }
  | { type: 'inCluster' }
  | { type: 'kubernetesPlugin'; name: string };
