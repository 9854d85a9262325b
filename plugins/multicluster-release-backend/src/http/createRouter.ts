import type { ErrorRequestHandler, Router } from 'express';
import PromiseRouter from 'express-promise-router';
import { KeyReusedError } from '../commands/errors';
import { IdempotencyKeyReusedError } from '../store';
import { bodyErrors, bodyParsers } from './bodies';
import { CONTRACT_PATH, contractValidator, readContract, sendContract } from './contract';
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
  const router = PromiseRouter();
  const contract = readContract();
  router.use(laterRoutes());
  router.get(CONTRACT_PATH, sendContract(contract));
  router.use(...bodyParsers(), bodyErrors);
  router.use(...contractValidator(contract, { validateResponses }));
  ROUTES.forEach(add => add(router, context));
  router.use(asContractErrors);
  return router;
}

/** The store's word for a reused key is a conflict; the API says 422. */
const asContractErrors: ErrorRequestHandler = (error, _request, _response, next) => {
  next(error instanceof IdempotencyKeyReusedError ? new KeyReusedError() : error);
};
