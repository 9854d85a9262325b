import { ClusterError } from '../errors/ClusterError';
import { clusterMessage } from '../errors/errorFromAnswer';
import type { ClusterErrorKind } from '../types';
import type { Transport, TransportAnswer } from './types';

/** Stands for a cluster that the configuration does not let us dial, or not yet. Nothing is opened or started. */
export class RefusingTransport implements Transport {
  constructor(
    private readonly cluster: string,
    private readonly why: string,
    private readonly kind: ClusterErrorKind = 'refusedByConfiguration',
  ) {}

  async send(): Promise<TransportAnswer> {
    throw new ClusterError({
      cluster: this.cluster,
      kind: this.kind,
      message: clusterMessage({ cluster: this.cluster, subject: 'access' }, this.why, this.kind),
    });
  }

  async close(): Promise<void> {}
}
