import type { ExecSpec } from '../transport/ExecCredential';
import type { ClusterInfo } from '../types';

export type CredentialAccess =
  | { type: 'token'; token: string }
  | { type: 'tokenFile'; path: string }
  | { type: 'password'; username: string; password: string }
  | { type: 'certificate'; certificate: string; key: string }
  | { type: 'exec'; spec: ExecSpec };

/** How a cluster is dialled. Compared as JSON: when it differs, the connections are made anew. */
export type ClusterAccess =
  | {
      type: 'direct';
      server: string;
      /** PEM. */
      certificateAuthority?: string;
      tlsServerName?: string;
      insecureSkipTlsVerify?: boolean;
      impersonateUser?: string;
      credential: CredentialAccess;
    }
  | { type: 'kubernetesPlugin'; name: string }
  | { type: 'refused'; why: string }
  /** A source that may list the cluster has not answered yet: how it is dialled is unknown, not refused. */
  | { type: 'unlisted' };

export interface ClusterDefinition {
  info: ClusterInfo;
  access: ClusterAccess;
}

/** A place that names clusters. */
export interface ClusterSourceReader {
  /** For messages, for example `kubeconfig /etc/fleet/config`. */
  readonly description: string;
  /** All clusters of the source. @throws Error when they cannot all be told. */
  read(): Promise<ClusterDefinition[]>;
}

/** A configuration that was not followed (C15). */
export interface ClusterRefusal {
  cluster: string;
  why: string;
}
