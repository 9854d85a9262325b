import type { Response } from 'express';
import type { Timing } from 'backstage-plugin-multicluster-release-node';

const HEARTBEAT_MILLISECONDS = 15_000;

/**
 * One server-sent event stream. `no-transform` keeps Backstage's compression
 * from buffering it; a comment every 15 s keeps proxies from closing it.
 */
export class EventStream {
  private readonly controller = new AbortController();
  private cancelHeartbeat: () => void = () => {};

  constructor(
    private readonly response: Response,
    private readonly timing: Pick<Timing, 'after'>,
    shutdown: AbortSignal,
  ) {
    response.on('close', () => this.controller.abort());
    shutdown.addEventListener('abort', () => this.end());
    if (shutdown.aborted) {
      this.controller.abort();
    }
  }

  /** Aborted when the reader went away or the backend shuts down. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  open(): void {
    this.response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-cache, no-transform',
      Connection: 'keep-alive',
      'X-Accel-Buffering': 'no',
    });
    this.response.write('retry: 2000\n\n');
    this.beat();
  }

  send(id: number, event: string, data: unknown): void {
    if (!this.signal.aborted) {
      this.response.write(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    }
  }

  end(): void {
    this.controller.abort();
    this.cancelHeartbeat();
    this.response.end();
  }

  private beat(): void {
    this.cancelHeartbeat = this.timing.after(HEARTBEAT_MILLISECONDS, () => {
      if (!this.signal.aborted) {
        this.response.write(': still here\n\n');
        this.beat();
      }
    });
  }
}
