/*
 * openapi.yaml is the contract of the HTTP API: what does not fit it is refused
 * before it reaches a route, with the faults and their places (api.md).
 */
import { readFileSync } from 'node:fs';
import { resolvePackagePath } from '@backstage/backend-plugin-api';
import { Router, type ErrorRequestHandler, type RequestHandler } from 'express';
import { middleware as openApiValidator } from 'express-openapi-validator';
import { parse } from 'yaml';
import { DocumentsRefusedError, type Fault } from '../commands/errors';

export const CONTRACT_PATH = '/openapi.json';

type Contract = Extract<Parameters<typeof openApiValidator>[0]['apiSpec'], object>;

export function readContract(): Contract {
  const path = resolvePackagePath('backstage-plugin-multicluster-release-backend', 'openapi.yaml');
  return parse(readFileSync(path, 'utf8')) as Contract;
}

/** Serves the contract with its paths as the caller reaches them. */
export function sendContract(contract: Contract): RequestHandler {
  return (request, response) => {
    const [base] = request.originalUrl.split(CONTRACT_PATH);
    const paths = Object.entries(contract.paths ?? {}).map(([path, item]) => [base + path, item]);
    response.json({ ...contract, paths: Object.fromEntries(paths) });
  };
}

/**
 * Beyond this only the first fault of a body is named: looking for all of them in
 * a large one would hold the whole process up.
 */
const THOROUGH_BYTES = 10_000;

/** @param validateResponses - tests: an answer that is not as the contract says is an error */
export function contractValidator(
  contract: Contract,
  { validateResponses }: { validateResponses: boolean },
): (RequestHandler | ErrorRequestHandler)[] {
  const validator = (allErrors: boolean) =>
    Router().use(
      openApiValidator({
        apiSpec: contract,
        validateRequests: { allErrors, coerceTypes: false, allowUnknownQueryParameters: false },
        validateResponses,
        validateApiSpec: validateResponses,
        useRequestUrl: true,
        ignoreUndocumented: true,
      }),
    );
  const thorough = validator(true);
  const quick = validator(false);
  const validate: RequestHandler = (request, response, next) => {
    const isSmall = Number(request.headers['content-length'] ?? Infinity) <= THOROUGH_BYTES;
    const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
    return (isSmall || !hasBody ? thorough : quick)(request, response, next);
  };
  return [validate, asRefusal];
}

/** What the validator throws; a wrong answer of ours is none of these. */
interface Misfit {
  status: number;
  message: string;
  errors: { path: string; message: string }[];
}

const asRefusal: ErrorRequestHandler = (error, _request, _response, next) => {
  next(isMisfit(error) ? refusal(error) : error);
};

function isMisfit(error: Partial<Misfit>): error is Misfit {
  return Array.isArray(error.errors) && error.status !== undefined && error.status < 500;
}

function refusal({ status, message, errors }: Misfit): Error {
  const faults = errors.map(
    (fault): Fault => ({ code: CODE, message: fault.message, path: placeOf(fault.path) }),
  );
  const refused = new DocumentsRefusedError(
    CODE,
    faults.length ? faults : [{ code: CODE, message }],
  );
  return Object.assign(refused, { statusCode: status });
}

const CODE = 'InvalidRequest';

/** `/body/targets/0/cluster` is `body.targets[0].cluster` for people; what is no part of the request has no place. */
function placeOf(pointer: string): string | undefined {
  if (!/^\/(body|query|headers|params|cookies)\b/.test(pointer)) {
    return undefined;
  }
  return pointer
    .split('/')
    .slice(1)
    .map(part => part.replace(/~1/g, '/').replace(/~0/g, '~'))
    .reduce((place, part) => (/^\d+$/.test(part) ? `${place}[${part}]` : `${place}.${part}`));
}
