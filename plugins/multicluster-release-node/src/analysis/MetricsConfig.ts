/** A server of measurements as app-config describes it. */
export interface MetricServerConfig {
  /** For example `https://prometheus.example.org/prefix`; without a slash at its end. */
  address: string;
  /** By lower-case name; sent with every request, and never shown. */
  headers: Record<string, string>;
  /** A file with a bearer token, read again when it changes. */
  tokenFile?: string;
  /** PEM of the authority to trust; undefined: those of the system. */
  caFile?: string;
}

/** `multiclusterRelease.metrics` of app-config. */
export interface MetricsConfig {
  /** For clusters that have none of their own. */
  prometheus?: MetricServerConfig;
  /** By the name of the cluster. */
  clusters: ReadonlyMap<string, MetricServerConfig>;
  /** Addresses that documents may name, beside the configured ones. */
  allow: readonly string[];
  /** Hosts, as `host` or `host:port`, that measurements of the web may be read from. */
  webAllow: readonly string[];
}
