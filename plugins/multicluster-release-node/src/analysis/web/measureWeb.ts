import type { MetricProvider } from 'backstage-plugin-multicluster-release-common';
import type { SingleReading } from '../../ports';
import { isHostAllowed, parseAddress } from '../addresses';
import { fillIn, type Question } from '../fillIn';
import type { MetricServer } from '../MetricServer';
import { valueAt } from './valueAt';

export type WebProvider = Extract<MetricProvider, { kind: 'web' }>;

export interface WebAccess {
  /** Hosts that may be asked. */
  allow: readonly string[];
  /** Of an origin whose host is allowed. */
  server(origin: string): MetricServer;
}

/** Reads one number of a JSON answer. A document names the address, so its host must be one that an administrator allows. */
export async function measureWeb(
  access: WebAccess,
  provider: WebProvider,
  question: Question,
  signal: AbortSignal,
): Promise<SingleReading> {
  const filled = fillIn(provider.url, question, encodeURIComponent);
  if (filled.result !== 'filled') {
    const { result, message } = filled;
    return {
      query: provider.url,
      result: result === 'noValue' ? 'noData' : 'error',
      message,
    };
  }
  const { url, problem } = parseAddress(filled.text);
  if (!url) {
    // What is not sent may hold a credential, and is not repeated.
    return {
      query: provider.url.split('@').at(-1) ?? '',
      result: 'error',
      message: `url ${problem}`,
    };
  }
  if (!isHostAllowed(url, access.allow)) {
    return {
      query: url.href,
      result: 'error',
      message: `${url.host} is not a host that measurements may be read from; an administrator adds it to multiclusterRelease.metrics.web.allow`,
    };
  }
  return { query: url.href, ...(await readFrom(access.server(url.origin), url, provider, signal)) };
}

async function readFrom(
  server: MetricServer,
  { pathname, search }: URL,
  { jsonPath }: WebProvider,
  signal: AbortSignal,
): Promise<WebValue> {
  const answer = await server.ask({ method: 'GET', path: `${pathname}${search}` }, signal);
  if (answer.result === 'failed') {
    return { result: 'error', message: answer.message };
  }
  const value: WebValue =
    answer.status < 300
      ? readValue(answer.text, jsonPath)
      : { result: 'error', message: `answered ${answer.status}; look at the url` };
  return value.result === 'value'
    ? value
    : { ...value, message: `${server.host}: ${value.message}` };
}

type WebValue =
  | { result: 'value'; value: number }
  | { result: 'noData' | 'error'; message: string };

function readValue(text: string, path: string = '$'): WebValue {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return {
      result: 'error',
      message: 'answered with something that is not JSON; look at the url',
    };
  }
  const found = valueAt(answer, path);
  if (found.result === 'faulty') {
    return {
      result: 'error',
      message: `jsonPath ${path} cannot be read; write names with dots and [n], for example data.items[0].rate`,
    };
  }
  // null is how JSON writes that there is none, NaN included.
  if (found.result === 'missing' || found.value === null) {
    return { result: 'noData', message: `the answer has nothing at ${path}` };
  }
  return typeof found.value === 'number' && Number.isFinite(found.value)
    ? { result: 'value', value: found.value }
    : {
        result: 'error',
        message: `the answer has no finite number at ${path}, but ${describe(found.value)}`,
      };
}

/** Without the value: it may be anything. */
function describe(value: unknown): string {
  if (typeof value === 'number') {
    return 'one that is too large';
  }
  return Array.isArray(value)
    ? 'a list'
    : `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`;
}
