import {
  ACTION_REASONS,
  type ActionReason,
  type ActionState,
  type ReleaseView,
} from 'backstage-plugin-multicluster-release-common';
import { entityName, shortened } from './names';
import type { TextKey, Texts } from './Texts';

interface Wording {
  key: TextKey;
  /** Parameters that the text cannot do without; where one is missing, the server's English is shown. */
  needs: readonly string[];
}

/** A text for every reason; of codes that a newer server has, its English is shown. */
const REASONS: Record<ActionReason, Wording> = {
  NotAllowed: { key: 'reason.NotAllowed', needs: ['permission'] },
  Final: { key: 'reason.Final', needs: [] },
  RollingBack: { key: 'reason.RollingBack', needs: [] },
  Stopping: { key: 'reason.Stopping', needs: [] },
  Superseded: { key: 'reason.Superseded', needs: [] },
  Observing: { key: 'reason.Observing', needs: [] },
  AwaitsApproval: { key: 'reason.AwaitsApproval', needs: [] },
  NothingToPromote: { key: 'reason.NothingToPromote', needs: [] },
  AlreadyPaused: { key: 'reason.AlreadyPaused', needs: [] },
  NotPaused: { key: 'reason.NotPaused', needs: [] },
  IsRollback: { key: 'reason.IsRollback', needs: [] },
  IsRemoval: { key: 'reason.IsRemoval', needs: [] },
  RolledBackAlready: { key: 'reason.RolledBackAlready', needs: ['id'] },
  NothingToRollBack: { key: 'reason.NothingToRollBack', needs: [] },
  NothingFailed: { key: 'reason.NothingFailed', needs: [] },
  NothingToSkip: { key: 'reason.NothingToSkip', needs: [] },
  NothingToAccept: { key: 'reason.NothingToAccept', needs: [] },
  NothingToApprove: { key: 'reason.NothingToApprove', needs: [] },
  NothingToReject: { key: 'reason.NothingToApprove', needs: [] },
  ApprovedAlready: { key: 'reason.ApprovedAlready', needs: [] },
  NotAsked: { key: 'reason.NotAsked', needs: ['who'] },
  SelfApproval: { key: 'reason.SelfApproval', needs: [] },
};

function isReason(code: string): code is ActionReason {
  return (ACTION_REASONS as readonly string[]).includes(code);
}

/** Three different things to a person, and one to the server. */
function nothingLeft({ state, fromVersions }: ReleaseView, { text }: Texts): string {
  if (state === 'RolledBack') {
    return text('reason.IsRolledBack');
  }
  return text(fromVersions.length === 0 ? 'reason.NothingBefore' : 'reason.NothingToRollBack');
}

/** Where the observation can be skipped, by this viewer, that is the way on. */
function observing({ actions }: ReleaseView, { text }: Texts): string {
  return actions['skip-wait']?.allowed
    ? text('reason.ObservingSkip', {
        skip: text('action.skip-wait').replace(/…$/, ''),
        more: text('action.more'),
      })
    : text('reason.Observing');
}

/** Why an action of a release is not allowed. */
export function actionReason(action: ActionState, release: ReleaseView, texts: Texts): string {
  const { reasonCode = '' } = action;
  if (reasonCode === 'NothingToRollBack') {
    return nothingLeft(release, texts);
  }
  if (reasonCode === 'Observing') {
    return observing(release, texts);
  }
  // The state may be older than the actions, by one turn of the engine.
  const goesBack = reasonCode === 'Final' && release.state === 'RollingBack';
  const code = goesBack ? 'RollingBack' : reasonCode;
  const wording = isReason(code) ? REASONS[code] : undefined;
  const params = shortened(action.params);
  if (typeof params.who === 'string') {
    params.who = texts.list(params.who.split(', ').map(entityName));
  }
  if (wording && wording.needs.every(name => params[name] !== undefined)) {
    return texts.text(wording.key, params);
  }
  return action.message ?? action.reasonCode ?? texts.text('action.deniedUnknown');
}
