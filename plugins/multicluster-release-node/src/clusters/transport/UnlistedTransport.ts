import { ClusterError } from '../errors/ClusterError';
import type { Transport, TransportAnswer } from './types';

/** Stands for a cluster that is described, while a source that may list it has never answered. */
export class UnlistedTransport implements Transport {
  constructor(private readonly cluster: string) {}

  async send(): Promise<TransportAnswer> {
    throw new ClusterError({
      cluster: this.cluster,
      kind: 'unreachable',
      message: `${this.cluster}: access: its address is not known yet; it is looked for again every few seconds.`,
    });
  }

  async close(): Promise<void> {}
}
