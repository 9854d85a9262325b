import type { ActionState, ReleaseView } from 'backstage-plugin-multicluster-release-common';
import { entityName, shortened } from './names';
import type { TextKey, Texts } from './Texts';

/** Refusals that have a text of their own; of others the server's English is shown. */
const REASONS: Record<string, { key: TextKey; needs: readonly string[] }> = {
  StageMoved: { key: 'reason.StageMoved', needs: [] },
  PlanChanged: { key: 'reason.PlanChanged', needs: [] },
  NotAllowed: { key: 'reason.NotAllowed', needs: ['permission'] },
  Stopped: { key: 'reason.Stopped', needs: [] },
  OnHold: { key: 'reason.OnHold', needs: ['version'] },
  NotBuiltYet: { key: 'reason.NotBuiltYet', needs: [] },
  Final: { key: 'reason.Final', needs: [] },
  NotPaused: { key: 'reason.NotPaused', needs: [] },
  AlreadyPaused: { key: 'reason.AlreadyPaused', needs: [] },
  NothingToPromote: { key: 'reason.NothingToPromote', needs: [] },
  NothingFailed: { key: 'reason.NothingFailed', needs: [] },
  NothingToAccept: { key: 'reason.NothingToAccept', needs: [] },
  RollingBack: { key: 'reason.RollingBack', needs: [] },
  Stopping: { key: 'reason.Stopping', needs: [] },
  IsRollback: { key: 'reason.IsRollback', needs: [] },
  RolledBackAlready: { key: 'reason.RolledBackAlready', needs: ['id'] },
  Superseded: { key: 'reason.Superseded', needs: [] },
  NothingToApprove: { key: 'reason.NothingToApprove', needs: [] },
  NothingToReject: { key: 'reason.NothingToApprove', needs: [] },
  ApprovedAlready: { key: 'reason.ApprovedAlready', needs: [] },
  NotAsked: { key: 'reason.NotAsked', needs: ['who'] },
  SelfApproval: { key: 'reason.SelfApproval', needs: [] },
  NothingToSkip: { key: 'reason.NothingToSkip', needs: [] },
};

/** Three different things to a person, and one to the server. */
function nothingLeft({ state, fromVersions }: ReleaseView, { text }: Texts): string {
  if (state === 'RolledBack') {
    return text('reason.IsRolledBack');
  }
  return text(fromVersions.length === 0 ? 'reason.NothingBefore' : 'reason.NothingToRollBack');
}

/** Why an action of a release is not allowed. */
export function actionReason(action: ActionState, release: ReleaseView, texts: Texts): string {
  if (action.reasonCode === 'NothingToRollBack') {
    return nothingLeft(release, texts);
  }
  // The state may be older than the actions, by one turn of the engine.
  const goesBack = action.reasonCode === 'Final' && release.state === 'RollingBack';
  const wording = REASONS[goesBack ? 'RollingBack' : action.reasonCode ?? ''];
  const params = shortened(action.params);
  if (typeof params.who === 'string') {
    params.who = texts.list(params.who.split(', ').map(entityName));
  }
  if (wording && wording.needs.every(name => params[name] !== undefined)) {
    return texts.text(wording.key, params);
  }
  return action.message ?? action.reasonCode ?? texts.text('action.deniedUnknown');
}
