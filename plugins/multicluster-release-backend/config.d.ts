export interface Config {
  /** Progressive releases of services over many Kubernetes clusters. */
  multiclusterRelease?: {
    /**
     * Clusters, by name. What is set here is added to clusters that the
     * kubernetes plugin or a kubeconfig names; an entry with a connection of its
     * own needs neither.
     */
    clusters?: {
      [name: string]: {
        title?: string;
        /** For placement rules and for the map, for example `cn-east-1`. */
        region?: string;
        position?: { latitude: number; longitude: number };
        labels?: { [key: string]: string };
        /** Address of the API server. */
        url?: string;
        /** PEM, base64; TLS is always verified. */
        caData?: string;
        caFile?: string;
        /** A file with a token that is read again when it changes. */
        tokenFile?: string;
        /**
         * A fixed token.
         * @visibility secret
         */
        token?: string;
        /** Reach it with the backend's own service account. */
        inCluster?: boolean;
      };
    };
    /** Clusters from the contexts of a kubeconfig file. */
    kubeconfig?: {
      path: string;
      /** Only these contexts; all where it is left out. */
      contexts?: string[];
    };
    /** Clusters of `@backstage/plugin-kubernetes-backend`, through its proxy. */
    kubernetesPlugin?: boolean | { [key: string]: unknown };
    /** What is refused unless an administrator allows it, by the name of the cluster. */
    allow?: {
      /** Contexts that may run a program for their credentials. */
      exec?: string[];
      /** Clusters whose certificate is not verified. */
      insecureTls?: string[];
      /** Clusters that are reached without TLS. */
      plainHttp?: string[];
    };
    /**
     * Which namespaces and kinds the services of an owner may write. Rules add
     * up. Without any rule, every namespace is allowed; with one, what no rule
     * allows is refused at preview.
     */
    tenancy?: Array<{
      /** Entity refs of owners, for example `group:default/payments`, or `*`. */
      owners: string[];
      /** Names or patterns, for example `production` or `payments-*`. */
      namespaces: string[];
      /** `Deployment`, `Queue.acme.io`; every kind where it is left out. */
      kinds?: string[];
      /** Names or patterns; every cluster where it is left out. */
      clusters?: string[];
    }>;
    encryption?: {
      /**
       * Keys for Secret data in stored content. The first one encrypts, all of
       * them decrypt: to rotate, put a new key first. Without keys only digests
       * of Secret data are kept, and rollbacks use the copy on the cluster.
       */
      keys?: Array<{
        /** Stored beside what it encrypted; never use it for another key. */
        id: string;
        /**
         * 32 bytes, base64.
         * @visibility secret
         */
        secret: string;
      }>;
    };
    /** How long a backend holds a release before another may take it over; default 60. */
    leaseSeconds?: number;
    /** Evidence from a cluster that is older decides nothing; default 30. */
    freshSeconds?: number;
    /** For one cluster's dry run at preview; default 30. */
    previewTimeoutSeconds?: number;
    /** Releases of one service that are kept, beside all that a cluster still runs; default 50. */
    keepReleases?: number;
    development?: {
      /** Multiplies pauses and cool-downs, for demonstrations; shown as a banner. Default 1. */
      timeScale?: number;
      /** Lets documents and manifests be read from this machine's files, at and below the folder of the catalog file. */
      allowFileSources?: boolean;
    };
  };
}
