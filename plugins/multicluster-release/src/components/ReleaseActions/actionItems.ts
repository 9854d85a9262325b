import {
  isFinalRelease,
  type ActionName,
  type ActionState,
  type ReleaseView,
  type StageView,
} from 'backstage-plugin-multicluster-release-common';
import type { Texts } from '../../text';
import { stageName } from '../StageRail';

export interface ActionItem {
  name: ActionName;
  label: string;
  state: ActionState;
}

/**
 * The buttons of a release, in their order. What can be done in this phase of
 * its life is always there, allowed or not; retry and accept come with what
 * they are for.
 */
export function actionItems(release: ReleaseView, stages: StageView[], texts: Texts): ActionItem[] {
  return namesFor(release).map(name => ({
    name,
    label: actionLabel(name, release, stages, texts),
    state: release.actions[name],
  }));
}

function namesFor({ state, actions }: ReleaseView): ActionName[] {
  if (isFinalRelease(state)) {
    return ['rollback'];
  }
  const occasional = (['retry', 'accept'] as const).filter(name => actions[name].allowed);
  return ['promote', ...occasional, state === 'Paused' ? 'resume' : 'pause', 'abort', 'rollback'];
}

/** Labels name the destination. */
function actionLabel(
  name: ActionName,
  release: ReleaseView,
  stages: StageView[],
  texts: Texts,
): string {
  const { text } = texts;
  switch (name) {
    case 'promote': {
      const next = nextStage(release, stages);
      return next
        ? text('action.promote', { stage: stageName(next, texts), count: next.total })
        : text('action.promoteEnd');
    }
    case 'rollback':
      return release.fromVersions.length === 1
        ? text('action.rollback', { version: release.fromVersions[0] })
        : text('action.rollbackPlain');
    case 'retry':
      return text('action.retry', { count: release.counts.failed });
    case 'accept':
      return text('action.accept');
    default:
      return text(`action.${name}`);
  }
}

/** Where a promotion leads; undefined in the last stage. */
export function nextStage(release: ReleaseView, stages: StageView[]): StageView | undefined {
  const index = release.stage?.index;
  return index === undefined ? undefined : stages.find(stage => stage.index === index + 1);
}
