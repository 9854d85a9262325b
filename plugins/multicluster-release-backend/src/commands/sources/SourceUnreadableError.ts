import { InputError } from '@backstage/errors';

/** A location that cannot be read, or must not be. 400, because a document names it. */
export class SourceUnreadableError extends InputError {
  readonly code = 'SourceUnreadable';

  constructor(location: string, why: string) {
    super(`${location}: ${why}`);
  }
}
