import type { Transport, TransportAnswer, TransportRequest } from './types';

/**
 * Lets a cluster keep its client while its address or credentials are replaced.
 * Requests under way on the old transport end as if the connection broke.
 */
export class SwitchableTransport implements Transport {
  constructor(private current: Transport) {}

  async switchTo(next: Transport): Promise<void> {
    const old = this.current;
    this.current = next;
    await old.close();
  }

  send(request: TransportRequest): Promise<TransportAnswer> {
    return this.current.send(request);
  }

  close(): Promise<void> {
    return this.current.close();
  }
}
