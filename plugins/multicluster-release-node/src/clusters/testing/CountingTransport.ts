import type { Timing } from '../Timing';
import type { Transport, TransportAnswer, TransportRequest } from '../transport/types';

/** A real transport that also says when it was used and whether a request is under way. */
export class CountingTransport implements Transport {
  readonly sentAt: number[] = [];
  underWay = 0;

  constructor(private readonly real: Transport, private readonly timing: Pick<Timing, 'now'>) {}

  async send(request: TransportRequest): Promise<TransportAnswer> {
    this.sentAt.push(this.timing.now());
    this.underWay += 1;
    try {
      return await this.real.send(request);
    } finally {
      this.underWay -= 1;
    }
  }

  close(): Promise<void> {
    return this.real.close();
  }
}
