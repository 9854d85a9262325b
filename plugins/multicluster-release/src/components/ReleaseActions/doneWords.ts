import type { ActionName, ActionRequest } from 'backstage-plugin-multicluster-release-common';
import type { Texts } from '../../text';

interface Done {
  action: ActionName;
  request: ActionRequest;
  /** The order is carried out by a new release. */
  isNew: boolean;
  /** Name of the stage that a promotion leads to; undefined: it was the last one. */
  nextStage?: string;
}

/** What an order has done that the server took: no more than that, since the release may still wait. */
export function doneWords({ action, request, isNew, nextStage }: Done, { text }: Texts): string {
  switch (action) {
    case 'promote':
      if (request.full) {
        return text('done.promoteFull');
      }
      return nextStage === undefined
        ? text('done.promoteEnd')
        : text('done.promote', { stage: nextStage });
    case 'rollback':
      if (isNew) {
        return text('done.rollbackNew');
      }
      return text(request.targets ? 'done.rollbackSome' : 'done.rollback');
    default:
      return text(`done.${action}`);
  }
}
