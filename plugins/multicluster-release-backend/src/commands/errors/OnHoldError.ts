import type { HoldView } from 'backstage-plugin-multicluster-release-common';
import { RefusedError } from './RefusedError';

/** 409 `OnHold`: the version was rolled back, and a person has to release it first. Carries the hold. */
export class OnHoldError extends RefusedError {
  readonly hold: HoldView;

  constructor({ id, service, version, reason, releaseId, since }: HoldView) {
    super({
      code: 'OnHold',
      message: `${service} ${version} is on hold since release ${releaseId} was rolled back: ${reason}. Release the hold to bring it again.`,
      params: { service, version, why: reason, holdId: id },
    });
    this.hold = { id, service, version, reason, releaseId, since };
  }
}
