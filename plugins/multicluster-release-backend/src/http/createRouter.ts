import { readFileSync } from 'node:fs';
import { createValidatedOpenApiRouter } from '@backstage/backend-openapi-utils';
import { resolvePackagePath } from '@backstage/backend-plugin-api';
import { Router, type ErrorRequestHandler, type RequestHandler } from 'express';
import { parse } from 'yaml';
import { KeyReusedError } from '../commands/errors';
import { IdempotencyKeyReusedError } from '../store';
import { bodyErrors, bodyParsers } from './bodies';
import type { HttpContext } from './HttpContext';
import { actionRoutes } from './routes/actionRoutes';
import { approvalRoutes } from './routes/approvalRoutes';
import { documentRoutes } from './routes/documentRoutes';
import { eventRoutes } from './routes/eventRoutes';
import { fleetRoutes } from './routes/fleetRoutes';
import { laterRoutes } from './routes/laterRoutes';
import { releaseRoutes } from './routes/releaseRoutes';
import { removalRoutes } from './routes/removalRoutes';
import { serviceRoutes } from './routes/serviceRoutes';
import type { Routes } from './routes/Routes';

/** Static paths before those with parameters of the same shape. */
const ROUTES: Routes[] = [
  documentRoutes,
  serviceRoutes,
  fleetRoutes,
  eventRoutes,
  approvalRoutes,
  removalRoutes,
  releaseRoutes,
  actionRoutes,
];

export interface RouterOptions {
  /** Tests: an answer that is not as the contract says is an error. */
  validateResponses?: boolean;
}

/** The HTTP API. openapi.yaml is its contract: what does not fit is refused before it reaches a route. */
export function createRouter(
  context: HttpContext,
  { validateResponses = false }: RouterOptions = {},
): Router {
  const router = Router();
  router.use(laterRoutes());
  router.use(...bodyParsers(), bodyErrors);
  const validated = createValidatedOpenApiRouter(readContract(), {
    middleware: [passOn],
    validatorOptions: { validateResponses, validateApiSpec: validateResponses },
  });
  ROUTES.forEach(add => add(validated, context));
  router.use(validated);
  router.use(asContractErrors);
  return router;
}

type Contract = Parameters<typeof createValidatedOpenApiRouter>[0];

function readContract(): Contract {
  const path = resolvePackagePath('backstage-plugin-multicluster-release-backend', 'openapi.yaml');
  return parse(readFileSync(path, 'utf8')) as Contract;
}

/** Bodies are parsed already. */
const passOn: RequestHandler = (_request, _response, next) => next();

/** The store's word for a reused key is a conflict; the API says 422. */
const asContractErrors: ErrorRequestHandler = (error, _request, _response, next) => {
  next(error instanceof IdempotencyKeyReusedError ? new KeyReusedError() : error);
};
