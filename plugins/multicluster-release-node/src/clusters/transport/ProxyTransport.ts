import { Agent } from 'undici';
import type { KubernetesPlugin } from './KubernetesPlugin';
import { renewCredential } from './renewCredential';
import { sendOver } from './sendOver';
import type { Transport, TransportAnswer, TransportRequest } from './types';

/** Carries requests through the proxy of the kubernetes plugin, which holds the credentials. */
export class ProxyTransport implements Transport {
  private readonly agents = { calls: makeAgent(8), watches: makeAgent(undefined) };

  constructor(
    private readonly plugin: KubernetesPlugin,
    /** As the kubernetes plugin calls the cluster. */
    private readonly clusterName: string,
  ) {}

  async send(request: TransportRequest): Promise<TransportAnswer> {
    const base = new URL(await this.plugin.baseUrl());
    const agent = request.stream ? this.agents.watches : this.agents.calls;
    const credential = await this.plugin.current();
    const answer = await sendOver(agent, base.origin, {
      ...request,
      path: `${base.pathname}/proxy${request.path}`,
      headers: {
        ...request.headers,
        ...credential.headers,
        'backstage-kubernetes-cluster': this.clusterName,
        // Backstage's compression holds events back until its buffer is full.
        'accept-encoding': 'identity',
      },
    });
    return { ...answer, renew: () => renewCredential(this.plugin, credential) };
  }

  async close(): Promise<void> {
    await Promise.all([this.agents.calls.destroy(), this.agents.watches.destroy()]);
  }
}

/** Backstage speaks HTTP/1.1: one connection per request under way, so a bound keeps calls of one cluster from flooding it. */
function makeAgent(connections: number | undefined): Agent {
  return new Agent({ allowH2: false, connections, connect: { timeout: 5_000 } });
}
