import type { AuthService, DiscoveryService } from '@backstage/backend-plugin-api';
import { request } from 'undici';
import type { Timing } from '../Timing';
import type { Credential, CredentialSource } from './types';

/** Tokens between plugins live for an hour; the length is not told to us, so we stay well below. */
const TOKEN_MILLISECONDS = 10 * 60_000;
const LIST_MILLISECONDS = 10_000;

export interface KubernetesPluginCluster {
  name: string;
  title?: string;
}

/** What we ask of `@backstage/plugin-kubernetes-backend`, in our own name. */
export class KubernetesPlugin implements CredentialSource {
  private known: { credential: Credential; fetchedAt: number } | undefined;

  constructor(
    private readonly auth: Pick<AuthService, 'getPluginRequestToken' | 'getOwnServiceCredentials'>,
    private readonly discovery: Pick<DiscoveryService, 'getBaseUrl'>,
    private readonly timing: Pick<Timing, 'now'>,
  ) {}

  baseUrl(): Promise<string> {
    return this.discovery.getBaseUrl('kubernetes');
  }

  async current(): Promise<Credential> {
    const { known } = this;
    if (known && this.timing.now() - known.fetchedAt < TOKEN_MILLISECONDS) {
      return known.credential;
    }
    return this.fetchToken();
  }

  async renew(): Promise<void> {
    await this.fetchToken();
  }

  /** @throws Error when the plugin does not answer with a complete list. */
  async listClusters(): Promise<KubernetesPluginCluster[]> {
    const answer = await request(`${await this.baseUrl()}/clusters`, {
      headers: { ...(await this.current()).headers, accept: 'application/json' },
      signal: AbortSignal.timeout(LIST_MILLISECONDS),
    });
    if (answer.statusCode !== 200) {
      await answer.body.dump();
      throw new Error(
        `the kubernetes plugin answered ${answer.statusCode} to the list of clusters`,
      );
    }
    return readItems(await answer.body.json());
  }

  private async fetchToken(): Promise<Credential> {
    const { token } = await this.auth.getPluginRequestToken({
      onBehalfOf: await this.auth.getOwnServiceCredentials(),
      targetPluginId: 'kubernetes',
    });
    const credential = { headers: { authorization: `Bearer ${token}` } };
    this.known = { credential, fetchedAt: this.timing.now() };
    return credential;
  }
}

function readItems(body: unknown): KubernetesPluginCluster[] {
  const items = (body as { items?: unknown } | undefined)?.items;
  if (!Array.isArray(items)) {
    throw new Error('the kubernetes plugin answered without a list of clusters');
  }
  return items.map(item => {
    if (typeof item?.name !== 'string' || item.name === '') {
      throw new Error('the kubernetes plugin listed a cluster without a name');
    }
    return { name: item.name, title: typeof item.title === 'string' ? item.title : undefined };
  });
}
