import pLimit from 'p-limit';
import { readFile } from 'node:fs/promises';
import { readAnswer } from '../clusters/readAnswer';
import { sendAndRenew } from '../clusters/sendRequest';
import { startDeadline } from '../clusters/startDeadline';
import type { Timing } from '../clusters/Timing';
import { DirectTransport } from '../clusters/transport/DirectTransport';
import { CredentialError, type Transport } from '../clusters/transport/types';
import { hostOf } from './addresses';
import { describeFailure } from './describeFailure';
import { HeadersCredential } from './HeadersCredential';
import type { MetricServerConfig } from './MetricsConfig';

/** A slow server holds up its own readings only: the bound is for each server. */
const REQUESTS_AT_A_TIME = 20;
const TIMEOUT_MILLISECONDS = 10_000;
const ANSWER_BYTES = 1_000_000;

export interface MetricRequest {
  method: 'GET' | 'POST';
  /** With its query; put behind the address. */
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export type MetricAnswer =
  | { result: 'answer'; status: number; text: string }
  /** For people; it names the host. */
  | { result: 'failed'; message: string };

/** One server that measurements are read from. Redirects are not followed: nobody has allowed where they go. */
export class MetricServer {
  /** What messages call it. */
  readonly host: string;
  private readonly limit = pLimit(REQUESTS_AT_A_TIME);
  private readonly credentials: HeadersCredential;
  private transport: Promise<Transport> | undefined;

  constructor(private readonly config: MetricServerConfig, private readonly timing: Timing) {
    this.host = hostOf(config.address);
    this.credentials = new HeadersCredential(config, timing);
  }

  /** Never rejects. Its time begins when it is its turn; `signal` ends it in the queue, too. */
  ask(request: MetricRequest, signal: AbortSignal): Promise<MetricAnswer> {
    return new Promise(resolve => {
      const giveUp = () => resolve(this.failed('the reading was given up'));
      signal.addEventListener('abort', giveUp, { once: true });
      void this.limit(async () => {
        if (!signal.aborted) {
          resolve(await this.send(request, signal));
        }
      }).finally(() => signal.removeEventListener('abort', giveUp));
      if (signal.aborted) {
        giveUp();
      }
    });
  }

  /** A text of the server without what we sent as a credential: some proxies repeat it. */
  quote(text: string): string {
    return this.credentials.withoutSecrets(text).replace(/\s+/g, ' ').trim().slice(0, 300);
  }

  async close(): Promise<void> {
    const transport = await this.transport?.catch(() => undefined);
    await transport?.close();
  }

  private async send(request: MetricRequest, signal: AbortSignal): Promise<MetricAnswer> {
    const deadline = startDeadline(this.timing, TIMEOUT_MILLISECONDS, signal);
    try {
      const transport = await deadline.race(this.connect());
      const answer = await deadline.race(
        sendAndRenew(transport, {
          ...request,
          headers: { accept: 'application/json', ...request.headers },
          stream: false,
          silenceMilliseconds: TIMEOUT_MILLISECONDS,
          signal: deadline.signal,
        }),
      );
      if (answer.status >= 300 && answer.status < 400) {
        answer.discard();
        return this.failed(this.describeRedirect(answer.status, answer.headers.location));
      }
      // Without its content type it is not parsed there: a fault of the JSON is told here.
      const text = await deadline.race(readAnswer(answer.body, undefined, ANSWER_BYTES));
      return { result: 'answer', status: answer.status, text: String(text) };
    } catch (failure) {
      return this.failed(describeFailure(failure));
    } finally {
      deadline.clear();
    }
  }

  private failed(message: string): MetricAnswer {
    return { result: 'failed', message: `${this.host}: ${message}` };
  }

  private describeRedirect(status: number, location: string | undefined): string {
    const target = location && URL.canParse(location, this.config.address);
    const where = target ? ` to ${new URL(location, this.config.address).host}` : '';
    return `answered ${status} and sends on${where}, which is not followed; write the address where it ends`;
  }

  /** The file may come later than the backend, so a fault of it is not kept. */
  private connect(): Promise<Transport> {
    this.transport ??= this.makeTransport().catch(error => {
      this.transport = undefined;
      throw error;
    });
    return this.transport;
  }

  private async makeTransport(): Promise<Transport> {
    return new DirectTransport({
      server: this.config.address,
      certificateAuthority: await readAuthority(this.config.caFile),
      connections: REQUESTS_AT_A_TIME,
      credentials: this.credentials,
    });
  }
}

async function readAuthority(file: string | undefined): Promise<string | undefined> {
  try {
    return file && (await readFile(file, 'utf8'));
  } catch (error) {
    const { code } = error as { code?: string };
    throw new CredentialError(`its caFile ${file} cannot be read (${code ?? 'unknown'})`);
  }
}
