import type { HoldView } from 'backstage-plugin-multicluster-release-common';
import { RefusedError } from './RefusedError';

/** 409 `OnHold`: the version was rolled back, and a person has to release it first. Carries the hold. */
export class OnHoldError extends RefusedError {
  readonly hold: HoldView;

  constructor(hold: HoldView) {
    super({
      code: 'OnHold',
      message: `${hold.service} ${hold.version} is on hold since release ${hold.releaseId} was rolled back: ${hold.reason}. Release the hold to bring it again.`,
      params: { service: hold.service, version: hold.version, why: hold.reason, holdId: hold.id },
    });
    this.hold = hold;
  }
}
