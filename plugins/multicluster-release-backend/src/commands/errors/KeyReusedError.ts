import { InputError } from '@backstage/errors';

/** 422: the Idempotency-Key was used for something else within 24 hours. */
export class KeyReusedError extends InputError {
  readonly code = 'IdempotencyKeyReused';
  readonly statusCode = 422;

  constructor() {
    super(
      'This Idempotency-Key was used for another request within the last 24 hours. Send a new key.',
    );
  }
}
