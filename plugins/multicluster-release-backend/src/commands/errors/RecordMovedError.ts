import { RefusedError } from './RefusedError';

/** Another release of the service started or ended between compiling and writing. */
export class RecordMovedError extends RefusedError {
  constructor() {
    super({
      code: 'PlanChanged',
      message: 'Other releases of the service keep moving. Preview it again.',
    });
  }
}
