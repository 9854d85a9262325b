import { NotFoundError } from '@backstage/errors';

/** 404 `NotBuiltYet`: the API has a place for it, this version does not have it; never an empty success. */
export class NotBuiltYetError extends NotFoundError {
  readonly code = 'NotBuiltYet';

  constructor(what: string) {
    super(`${what} is not built yet in this version.`);
  }
}
