import { Router } from 'express';
import { NotBuiltYetError } from '../../commands/errors';

/** What the API has a place for and this version does not have. Never an empty success. */
const LATER: [method: 'all' | 'get' | 'post' | 'delete', path: string, what: string][] = [
  ['all', '/matrix', 'The version matrix'],
  ['all', '/helm-releases', 'Helm'],
  ['all', '/agents', 'Agents'],
  ['all', '/agents/*', 'Agents'],
  ['all', '/services/:kind/:namespace/:name/drift', 'Drift'],
  ['all', '/services/:kind/:namespace/:name/drift/*', 'Drift'],
  ['post', '/services/:kind/:namespace/:name/adopt', 'Adoption by preview'],
];

/** Comes before the validator, whose contract does not have these. */
export function laterRoutes(): Router {
  const router = Router();
  for (const [method, path, what] of LATER) {
    router[method](path, (_request, _response, next) => next(new NotBuiltYetError(what)));
  }
  return router;
}
