export interface Config {
  /** Progressive releases of services over many Kubernetes clusters. */
  multiclusterRelease?: {
    /**
     * Clusters, by name. With `access` an entry is a cluster of its own; without,
     * it describes a cluster that the kubeconfig or the kubernetes plugin lists.
     */
    clusters?: {
      [name: string]: {
        title?: string;
        /** For placement rules and for the map, for example `cn-east-1`. */
        region?: string;
        /** Degrees. */
        position?: { latitude: number; longitude: number };
        labels?: { [key: string]: string };
        /** Groups of clusters that an emergency stop can name, for example `payments`. */
        groups?: string[];
        /** Exactly one of these. */
        access?: {
          /** One context of a kubeconfig file. */
          kubeconfig?: { path: string; context: string };
          /** An API server and a file with a token, which is read again when it changes. */
          token?: {
            /** For example `https://10.0.0.1:6443`. */
            server: string;
            tokenFile: string;
            /** PEM file of the authority to trust; default: those of the system. */
            caFile?: string;
            /** The same as base64 of PEM. */
            caData?: string;
            /** The name in the certificate, where it is not that of the address. */
            tlsServerName?: string;
            /** Works only where `allow.insecureTls` names the cluster. */
            insecureSkipTlsVerify?: boolean;
          };
          /** The cluster that the backend runs in, with its service account. */
          inCluster?: true;
          /** Through the proxy of the kubernetes plugin; `name` where that plugin calls it otherwise. */
          kubernetesPlugin?: true | { name: string };
        };
      };
    };
    /** Every context of a kubeconfig file is a cluster of that name. */
    kubeconfig?: {
      path: string;
      /** Only these contexts; all where it is left out. */
      contexts?: string[];
      /** Contexts whose name ends so are left out, for example `-admin`. */
      ignoreContextSuffixes?: string[];
    };
    /** Also list the clusters of `@backstage/plugin-kubernetes-backend`, and reach them through its proxy. */
    kubernetesPlugin?: boolean;
    /** What is refused unless an administrator allows it, by the name of the cluster or of its context. */
    allow?: {
      /** May start the program that the kubeconfig names for credentials. */
      exec?: string[];
      /** The certificate need not be verified. */
      insecureTls?: string[];
      /** May be reached by plain http. */
      http?: string[];
    };
    /** How clusters are looked at. */
    probe?: {
      /** Default 15. */
      intervalSeconds?: number;
      /** Of each request of a probe; default 5. */
      timeoutSeconds?: number;
      /** Between two readings of the pods, for the capacity in use; default 120. */
      usageIntervalSeconds?: number;
      /** A cluster that has never answered shows as starting for so long; default 0. */
      startGraceSeconds?: number;
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
         * At least 24 characters, for example of `openssl rand -base64 32`.
         * @visibility secret
         */
        secret: string;
      }>;
    };
    /** Where the measurements of gates are read. */
    metrics?: {
      /** Prometheus, or what speaks like it, for clusters that have none of their own. */
      prometheus?: {
        /** For example `https://prometheus.example.org`; a path in it is put before `/api/v1/query`. */
        address: string;
        /**
         * Sent with every query, for example `X-Scope-OrgID`.
         * @deepVisibility secret
         */
        headers?: { [name: string]: string };
        /** A file with a bearer token, which is read again when it changes. */
        tokenFile?: string;
        /** PEM file of the authority to trust; default: those of the system. */
        caFile?: string;
      };
      /** Clusters with a Prometheus of their own, by name. */
      clusters?: {
        [name: string]: {
          prometheus: {
            /** For example `https://prometheus.eu-1.example.org`. */
            address: string;
            /**
             * Sent with every query.
             * @deepVisibility secret
             */
            headers?: { [name: string]: string };
            /** A file with a bearer token, which is read again when it changes. */
            tokenFile?: string;
            /** PEM file of the authority to trust; default: those of the system. */
            caFile?: string;
          };
        };
      };
      /** Further addresses of Prometheus that documents may name; they are asked without credentials. */
      allow?: string[];
      web?: {
        /** Hosts that documents may read measurements from, as `host` or `host:port`. Without any, none. */
        allow?: string[];
      };
    };
    /** How long a backend holds a release before another may take it over; default 60. */
    leaseSeconds?: number;
    /** Evidence from a cluster that is older decides nothing; default 30. */
    freshSeconds?: number;
    /** For one cluster's dry run at preview; default 30. */
    previewTimeoutSeconds?: number;
    /** Releases of one service that are kept, beside all that a cluster still runs; default 50. */
    keepReleases?: number;
    samplePolicy?: {
      /** Entity refs of groups that may do everything, where the sample policy is in place. */
      platformGroups?: string[];
    };
    development?: {
      /** Multiplies pauses and cool-downs, for demonstrations; shown as a banner. Default 1. */
      timeScale?: number;
      /** Lets documents and manifests be read from this machine's files, at and below the folder of the catalog file. */
      allowFileSources?: boolean;
    };
  };
}
