import { ServiceUnavailableError } from '@backstage/errors';

/** 503 `ClusterListFailed`: the list of clusters is old or partial, so nothing is planned on it (field case C07). */
export class ClusterListUntrustedError extends ServiceUnavailableError {
  readonly code = 'ClusterListFailed';

  constructor(reason: string) {
    super(
      `The list of clusters cannot be trusted now: ${reason}. Nothing is planned or removed on it; try again when it can be read.`,
    );
  }
}
