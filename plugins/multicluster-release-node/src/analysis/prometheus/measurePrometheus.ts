import type { MetricProvider } from 'backstage-plugin-multicluster-release-common';
import type { SingleReading } from '../../ports';
import { fillIn, type Question } from '../fillIn';
import type { MetricRequest, MetricServer } from '../MetricServer';
import { readResult, type QueryResult } from './readResult';

export type PrometheusProvider = Extract<MetricProvider, { kind: 'prometheus' }>;

/** Longer queries go in the body: some proxies take no longer line. */
const LONGEST_PATH = 2_000;
const PATH = '/api/v1/query';

/** Asks for the value and, where there is a countQuery, at the same time for the number of requests. */
export async function measurePrometheus(
  server: MetricServer,
  provider: PrometheusProvider,
  question: Question,
  signal: AbortSignal,
): Promise<SingleReading> {
  const [value, count] = await Promise.all([
    runQuery(server, provider.query, question, signal),
    provider.countQuery === undefined
      ? undefined
      : runQuery(server, provider.countQuery, question, signal),
  ]);
  const { query } = value;
  if (value.result !== 'error' && count?.result === 'error') {
    return { query, result: 'error', message: `countQuery: ${count.message}` };
  }
  if (value.result !== 'value' || !count) {
    return value;
  }
  return { ...value, samples: count.result === 'value' ? count.value : 0 };
}

/** With the text as it was sent. */
async function runQuery(
  server: MetricServer,
  text: string,
  question: Question,
  signal: AbortSignal,
): Promise<{ query: string } & QueryResult> {
  const filled = fillIn(text, question);
  if (filled.result !== 'filled') {
    const { message } = filled;
    return { query: text, result: filled.result === 'noValue' ? 'noData' : 'error', message };
  }
  const answer = await server.ask(request(filled.text, question.at), signal);
  if (answer.result === 'failed') {
    return { query: filled.text, result: 'error', message: `Prometheus at ${answer.message}` };
  }
  const result = readResult(answer.status, answer.text, quoted => server.quote(quoted));
  return result.result === 'error'
    ? { query: filled.text, ...result, message: `Prometheus at ${server.host}: ${result.message}` }
    : { query: filled.text, ...result };
}

/** Prometheus takes times in seconds. */
function request(query: string, at: number | undefined): MetricRequest {
  const time: Record<string, string> = at === undefined ? {} : { time: String(at / 1000) };
  const parameters = new URLSearchParams({ query, ...time }).toString();
  const path = `${PATH}?${parameters}`;
  if (path.length <= LONGEST_PATH) {
    return { method: 'GET', path };
  }
  return {
    method: 'POST',
    path: PATH,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: parameters,
  };
}
