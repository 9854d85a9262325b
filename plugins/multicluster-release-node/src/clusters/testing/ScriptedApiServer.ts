import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { KubernetesObject } from '../../ports';

const COLLECTION = '/apis/apps/v1/deployments';

export interface SeenRequest {
  kind: 'list' | 'watch';
  resourceVersion: string | undefined;
}

interface StoredEvent {
  version: number;
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  object: KubernetesObject;
}

/**
 * A server that lists and watches Deployments as an API server does, and fails
 * as the script says. It stands in for faults that a real one does not show on
 * demand.
 */
export class ScriptedApiServer {
  readonly collection = COLLECTION;
  readonly seen: SeenRequest[] = [];
  private readonly server: Server = createServer((request, response) =>
    this.answer(request, response),
  );
  private readonly objects = new Map<string, KubernetesObject>();
  private readonly events: StoredEvent[] = [];
  private readonly streams = new Set<ServerResponse>();
  private version = 100;
  private silent = false;

  /** Port 0 takes a free one. */
  async listen(port: number = 0): Promise<number> {
    await new Promise<void>(resolve => this.server.listen(port, '127.0.0.1', resolve));
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>(resolve => this.server.close(() => resolve()));
  }

  get openWatches(): number {
    return this.streams.size;
  }

  put(name: string, note: string): void {
    this.version += 1;
    const known = this.objects.has(name);
    const object: KubernetesObject = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: {
        name,
        namespace: 'shop',
        uid: `uid-${name}`,
        resourceVersion: String(this.version),
        annotations: { note },
      },
    };
    this.objects.set(name, object);
    this.publish({ version: this.version, type: known ? 'MODIFIED' : 'ADDED', object });
  }

  remove(name: string): void {
    const object = this.objects.get(name);
    this.objects.delete(name);
    this.version += 1;
    if (object) {
      this.publish({ version: this.version, type: 'DELETED', object });
    }
  }

  /** Keeps streams that are open, and says nothing on them any more. */
  goSilent(): void {
    this.silent = true;
  }

  /** New streams are served again; the old ones stay as they are. */
  speakAgain(): void {
    this.silent = false;
    this.streams.clear();
  }

  sendLine(event: unknown): void {
    for (const stream of this.streams) {
      stream.write(`${JSON.stringify(event)}\n`);
    }
  }

  endStreams(): void {
    for (const stream of this.streams) {
      stream.end();
    }
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://server');
    const resourceVersion = url.searchParams.get('resourceVersion') ?? undefined;
    if (url.searchParams.get('watch') === 'true') {
      this.seen.push({ kind: 'watch', resourceVersion });
      this.openStream(Number(resourceVersion), response);
    } else {
      this.seen.push({ kind: 'list', resourceVersion });
      this.sendList(response);
    }
  }

  private sendList(response: ServerResponse): void {
    const items = [...this.objects.values()].map(({ metadata }) => ({ metadata }));
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        kind: 'DeploymentList',
        apiVersion: 'apps/v1',
        metadata: { resourceVersion: String(this.version) },
        items,
      }),
    );
  }

  private openStream(from: number, response: ServerResponse): void {
    response.setHeader('content-type', 'application/json');
    response.flushHeaders();
    this.streams.add(response);
    response.on('close', () => this.streams.delete(response));
    for (const event of this.events.filter(({ version }) => version > from)) {
      this.write(response, event);
    }
  }

  private publish(event: StoredEvent): void {
    this.events.push(event);
    for (const stream of this.streams) {
      this.write(stream, event);
    }
  }

  private write(response: ServerResponse, { type, object }: StoredEvent): void {
    if (!this.silent) {
      response.write(`${JSON.stringify({ type, object })}\n`);
    }
  }
}
