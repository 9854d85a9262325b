/** What one query says. */
export type QueryResult =
  | { result: 'value'; value: number }
  | { result: 'noData'; message: string }
  | { result: 'error'; message: string };

/** Numbers as Prometheus writes them; `Number('')` would be 0. */
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/**
 * Reads an answer of `/api/v1/query`. Only one finite number is a value; what is
 * not understood is an error, never good.
 *
 * @param status - of HTTP
 * @param text - the body
 * @param quote - makes a text of the server fit for people
 */
export function readResult(
  status: number,
  text: string,
  quote: (text: string) => string,
): QueryResult {
  const body = parseObject(text);
  if (status >= 400 || body?.status === 'error') {
    return { result: 'error', message: describeError(status, body, quote) };
  }
  const data = asObject(body?.data);
  if (body?.status !== 'success' || !data) {
    return {
      result: 'error',
      message: `answered ${status} with something that is not from Prometheus; look at the address`,
    };
  }
  const doubt = doubtOf(body, quote);
  return doubt === undefined ? readData(data) : { result: 'error', message: doubt };
}

function readData({ resultType, result }: Record<string, unknown>): QueryResult {
  if (resultType === 'scalar') {
    return readSample(result);
  }
  if (resultType !== 'vector' || !Array.isArray(result)) {
    return {
      result: 'error',
      message: `answered with a ${String(resultType)}; write a query that gives one number`,
    };
  }
  if (result.length > 1) {
    return {
      result: 'error',
      message: `answered with ${result.length} series; aggregate them to one, for example with sum(…)`,
    };
  }
  if (result.length === 0) {
    return { result: 'noData', message: 'no series fits the query' };
  }
  const sample = asObject(result[0]);
  return sample?.histogram === undefined
    ? readSample(sample?.value)
    : {
        result: 'error',
        message: 'answered with a histogram; make it a number, for example with histogram_quantile',
      };
}

/** `[time, "value"]`. */
function readSample(sample: unknown): QueryResult {
  const value: unknown = Array.isArray(sample) ? sample[1] : undefined;
  if (value === 'NaN') {
    return { result: 'noData', message: 'the value is NaN, as 0/0 without traffic is' };
  }
  const number = typeof value === 'string' && NUMBER.test(value) ? Number(value) : NaN;
  if (Number.isFinite(number)) {
    return { result: 'value', value: number };
  }
  const isInfinite = typeof value === 'string' && /^[+-]?inf$/i.test(value);
  return {
    result: 'error',
    message: isInfinite
      ? `the value is ${value}, as a division by 0 is; write a query that gives a finite number`
      : 'answered with a value that is no number; look at the query and the address',
  };
}

/** Thanos and VictoriaMetrics answer 200 when parts of the data were out of reach. */
function doubtOf(
  body: Record<string, unknown>,
  quote: (text: string) => string,
): string | undefined {
  if (body.isPartial === true) {
    return 'answered with a part of the data only; look at its storage nodes';
  }
  const warnings = Array.isArray(body.warnings) ? body.warnings : [];
  return warnings.length > 0
    ? `answered with a warning, so its value may be wrong: ${quote(warnings.join('; '))}`
    : undefined;
}

function describeError(
  status: number,
  body: Record<string, unknown> | undefined,
  quote: (text: string) => string,
): string {
  const own = typeof body?.error === 'string' && body.error !== '' ? `: ${quote(body.error)}` : '';
  if (status === 401 || status === 403) {
    return `answered ${status}${own}; look at tokenFile and headers beside its address in app-config`;
  }
  if (status >= 500) {
    return `answered ${status}${own}; look at its log`;
  }
  return own === ''
    ? `answered ${status}; look at the address`
    : `answered ${status}${own}; correct the query`;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
