import type { Timing } from '../Timing';
import { DirectTransport } from '../transport/DirectTransport';
import { ExecCredential } from '../transport/ExecCredential';
import type { KubernetesPlugin } from '../transport/KubernetesPlugin';
import { ProxyTransport } from '../transport/ProxyTransport';
import { RefusingTransport } from '../transport/RefusingTransport';
import { StaticCredential } from '../transport/StaticCredential';
import { TokenFileCredential } from '../transport/TokenFileCredential';
import type { CredentialSource, Transport } from '../transport/types';
import { UnlistedTransport } from '../transport/UnlistedTransport';
import type { ClusterAccess, CredentialAccess } from './types';

export interface TransportMaterial {
  timing: Timing;
  /** undefined: this process has no Backstage beside it. */
  kubernetesPlugin?: KubernetesPlugin;
}

/** The way to a cluster. Nothing is dialled and no program started before the first request. */
export function makeTransport(
  cluster: string,
  access: ClusterAccess,
  material: TransportMaterial,
): Transport {
  switch (access.type) {
    case 'refused':
      return new RefusingTransport(cluster, access.why);
    case 'unlisted':
      return new UnlistedTransport(cluster);
    case 'kubernetesPlugin':
      return material.kubernetesPlugin
        ? new ProxyTransport(material.kubernetesPlugin, access.name)
        : new RefusingTransport(
            cluster,
            'the kubernetes plugin cannot be reached from this process',
          );
    default:
      return new DirectTransport({
        server: access.server,
        certificateAuthority: access.certificateAuthority,
        tlsServerName: access.tlsServerName,
        insecureSkipTlsVerify: access.insecureSkipTlsVerify,
        impersonateUser: access.impersonateUser,
        credentials: makeCredential(access.credential, material.timing),
      });
  }
}

function makeCredential(access: CredentialAccess, timing: Timing): CredentialSource {
  switch (access.type) {
    case 'token':
      return new StaticCredential({ headers: { authorization: `Bearer ${access.token}` } });
    case 'tokenFile':
      return new TokenFileCredential(access.path, timing);
    case 'password': {
      const pair = Buffer.from(`${access.username}:${access.password}`).toString('base64');
      return new StaticCredential({ headers: { authorization: `Basic ${pair}` } });
    }
    case 'certificate':
      return new StaticCredential({
        headers: {},
        certificate: access.certificate,
        key: access.key,
      });
    default:
      return new ExecCredential(access.spec, timing);
  }
}
