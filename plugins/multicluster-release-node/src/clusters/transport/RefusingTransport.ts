import { ClusterError } from '../errors/ClusterError';
import { clusterMessage } from '../errors/errorFromAnswer';
import type { Transport, TransportAnswer } from './types';

/** Stands for a cluster that the configuration does not let us dial. Nothing is opened or started. */
export class RefusingTransport implements Transport {
  constructor(private readonly cluster: string, private readonly why: string) {}

  async send(): Promise<TransportAnswer> {
    throw new ClusterError({
      cluster: this.cluster,
      kind: 'refusedByConfiguration',
      message: clusterMessage(
        { cluster: this.cluster, subject: 'access' },
        this.why,
        'refusedByConfiguration',
      ),
    });
  }

  async close(): Promise<void> {}
}
