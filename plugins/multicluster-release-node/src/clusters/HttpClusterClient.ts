import type { LoggerService } from '@backstage/backend-plugin-api';
import { ResourceDiscovery } from './ResourceDiscovery';
import type { Timing } from './Timing';
import { sendRequest } from './sendRequest';
import type { Transport } from './transport/types';
import type {
  ApiResource,
  ClusterClient,
  ClusterRequest,
  ClusterResponse,
  WatchHandle,
  WatchHandler,
  WatchOptions,
} from './types';
import { SharedWatches } from './watch/SharedWatches';

export interface HttpClusterClientOptions {
  name: string;
  transport: Transport;
  timing: Timing;
  logger: Pick<LoggerService, 'error'>;
}

/** Speaks to one API server over whatever transport leads there. */
export class HttpClusterClient implements ClusterClient {
  readonly name: string;
  private readonly watches: SharedWatches;
  private readonly discovery: ResourceDiscovery;

  constructor(private readonly options: HttpClusterClientOptions) {
    this.name = options.name;
    this.discovery = new ResourceDiscovery(this, options.timing);
    this.watches = new SharedWatches({
      cluster: options.name,
      client: this,
      transport: options.transport,
      timing: options.timing,
      logger: options.logger,
    });
  }

  async request<T = unknown>(request: ClusterRequest): Promise<ClusterResponse<T>> {
    const response = await sendRequest(this.options, request);
    return response as ClusterResponse<T>;
  }

  watch(options: WatchOptions, handler: WatchHandler): WatchHandle {
    return this.watches.subscribe(options, handler);
  }

  resource(apiVersion: string, kind: string): Promise<ApiResource | undefined> {
    return this.discovery.find(apiVersion, kind);
  }

  /** Ends all watches and connections. */
  async close(): Promise<void> {
    this.watches.close();
    await this.options.transport.close();
  }
}
