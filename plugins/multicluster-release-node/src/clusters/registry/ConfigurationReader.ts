import { access, readFile } from 'node:fs/promises';
import type { KubeConfig } from '@kubernetes/client-node';
import type { ClustersConfig, ConfiguredAccess, ConfiguredCluster } from './ClustersConfig';
import { accessFromContext } from './accessFromContext';
import { checkServer } from './checkServer';
import { describeCluster } from './describeCluster';
import { loadKubeconfig } from './loadKubeconfig';
import type { ClusterAccess, ClusterDefinition, ClusterSourceReader } from './types';

const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Where a pod finds its own API server. */
export interface InClusterPlace {
  host?: string;
  port?: string;
  /** The folder with `token` and `ca.crt`. */
  folder: string;
}

export function inClusterPlace(): InClusterPlace {
  return {
    host: process.env.KUBERNETES_SERVICE_HOST,
    port: process.env.KUBERNETES_SERVICE_PORT,
    folder: SERVICE_ACCOUNT,
  };
}

/** The clusters of app-config that say themselves how they are reached. What is wrong with one of them is said of that one. */
export class ConfigurationReader implements ClusterSourceReader {
  readonly description = 'multiclusterRelease.clusters';

  constructor(private readonly config: ClustersConfig, private readonly place: InClusterPlace) {}

  async read(): Promise<ClusterDefinition[]> {
    const files = new Map<string, Promise<KubeConfig>>();
    const load = (path: string) => {
      const file = files.get(path) ?? loadKubeconfig(path);
      files.set(path, file);
      return file;
    };
    const own = this.config.clusters.filter(cluster => cluster.access !== undefined);
    return Promise.all(
      own.map(async cluster => ({
        info: describeCluster(cluster, 'configuration'),
        access: await this.accessOf(cluster, cluster.access!, load).catch(error => refuse(error)),
      })),
    );
  }

  private async accessOf(
    cluster: ConfiguredCluster,
    configured: ConfiguredAccess,
    load: (path: string) => Promise<KubeConfig>,
  ): Promise<ClusterAccess> {
    switch (configured.type) {
      case 'kubeconfig': {
        const file = await load(configured.path);
        return accessFromContext(file, configured.context, cluster.name, this.config.allow);
      }
      case 'token':
        return this.tokenAccess(cluster.name, configured);
      case 'inCluster':
        return inClusterAccess(this.place);
      default:
        return { type: 'kubernetesPlugin', name: configured.name };
    }
  }

  private async tokenAccess(
    name: string,
    configured: Extract<ConfiguredAccess, { type: 'token' }>,
  ): Promise<ClusterAccess> {
    const { server, tokenFile, caFile, caData, tlsServerName, insecureSkipTlsVerify } = configured;
    const why = checkServer(
      { server, insecureSkipTlsVerify },
      { names: [name], allow: this.config.allow },
    );
    if (why) {
      return { type: 'refused', why };
    }
    return {
      type: 'direct',
      server,
      certificateAuthority: caData
        ? Buffer.from(caData, 'base64').toString('utf8')
        : caFile && (await readText('caFile', caFile)),
      tlsServerName,
      insecureSkipTlsVerify,
      credential: { type: 'tokenFile', path: tokenFile },
    };
  }
}

async function inClusterAccess(place: InClusterPlace): Promise<ClusterAccess> {
  const { host, port, folder } = place;
  if (!host || !port) {
    throw new Error(
      'inCluster needs a pod of that cluster: KUBERNETES_SERVICE_HOST and _PORT are not set',
    );
  }
  const path = `${folder}/token`;
  await access(path).catch(() => {
    throw new Error(`inCluster needs a service account: ${path} is not there`);
  });
  return {
    type: 'direct',
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    certificateAuthority: await readText('the certificate authority', `${folder}/ca.crt`),
    credential: { type: 'tokenFile', path },
  };
}

async function readText(what: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as { code?: string };
    throw new Error(`${what} ${path} cannot be read (${code ?? 'unknown'})`);
  }
}

function refuse(error: unknown): ClusterAccess {
  return {
    type: 'refused',
    why: error instanceof Error ? error.message : 'its configuration cannot be used',
  };
}
