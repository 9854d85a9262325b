import { isError, ResponseError } from '@backstage/errors';

/** One fault of a document, as the server lists them. */
export interface Fault {
  message: string;
  /** For example `spec.strategy.canary.steps[0]`. */
  path?: string;
  document?: string;
}

/** What a page shows of an error. */
export interface Problem {
  message: string;
  /** HTTP status; undefined where the server was not reached. */
  status?: number;
  /** The server's word for a refusal, for example `PlanChanged`. */
  code?: string;
  /** All faults at once; empty where there is only the message. */
  faults: Fault[];
  requestId?: string;
}

/** Takes apart whatever a call of the API was rejected with. */
export function describeProblem(error: unknown): Problem {
  if (error instanceof ResponseError) {
    return describeResponse(error);
  }
  return { message: isError(error) ? error.message : String(error), faults: [] };
}

function describeResponse(error: ResponseError): Problem {
  const body: unknown = error.body;
  const cause = field(body, 'error');
  return {
    message: text(field(cause, 'message')) ?? error.message,
    status: error.response.status,
    code: text(field(cause, 'code')) ?? text(field(field(cause, 'details'), 'code')),
    faults: faultsOf(cause),
    requestId:
      error.response.headers.get('x-request-id') ?? text(field(field(body, 'request'), 'id')),
  };
}

function faultsOf(cause: unknown): Fault[] {
  const details = field(cause, 'details');
  for (const candidate of [field(cause, 'faults'), field(details, 'faults'), details]) {
    if (Array.isArray(candidate)) {
      return candidate.map(toFault);
    }
  }
  return [];
}

function toFault(value: unknown): Fault {
  return {
    message: text(field(value, 'message')) ?? text(value) ?? JSON.stringify(value),
    path: text(field(value, 'path')),
    document: text(field(value, 'document')),
  };
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
