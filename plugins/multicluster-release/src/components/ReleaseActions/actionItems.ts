import {
  isFinalRelease,
  type ActionName,
  type ActionState,
  type ReleaseView,
  type StageView,
} from 'backstage-plugin-multicluster-release-common';
import { stageName, type Texts } from '../../text';

export interface ActionItem {
  /** The name of the action, or `promote-full`. */
  key: ActionName | 'promote-full';
  name: ActionName;
  label: string;
  state: ActionState;
  /** In the menu instead of the bar: what is needed seldom. */
  seldom: boolean;
}

const SELDOM: readonly ActionName[] = ['skip-cluster', 'skip-wait', 'skip-gate'];

/**
 * The buttons of a release, in their order. What can be done in this phase of
 * its life is always there, allowed or not; others come with what they are for.
 */
export function actionItems(release: ReleaseView, stages: StageView[], texts: Texts): ActionItem[] {
  const items = namesFor(release, stages).map(name => ({
    key: name,
    name,
    label: actionLabel(name, release, stages, texts),
    state: release.actions[name],
    seldom: SELDOM.includes(name),
  }));
  return items.flatMap(item =>
    item.name === 'promote' && leadsFurther(release, stages)
      ? [item, { ...item, key: 'promote-full', label: texts.text('action.promoteFull') } as const]
      : [item],
  );
}

function namesFor(release: ReleaseView, stages: StageView[]): ActionName[] {
  const { state, actions } = release;
  if (isFinalRelease(state)) {
    return ['rollback'];
  }
  // A server that is older than this page does not know all of them.
  const offered = (name: ActionName) => actions[name]?.allowed === true;
  const asked: ActionName[] =
    actions.approve && isAsked(release, stages) ? ['approve', 'reject'] : [];
  const occasional = (['retry', 'accept'] as const).filter(offered);
  return [
    ...asked,
    'promote',
    ...occasional,
    state === 'Paused' ? 'resume' : 'pause',
    'abort',
    'rollback',
    ...SELDOM.filter(offered),
  ];
}

/** Whether people are asked for an approval now. */
function isAsked({ waiting }: ReleaseView, stages: StageView[]): boolean {
  const open = stages.flatMap(({ approvals = [] }) => approvals);
  return (
    waiting.some(({ code }) => code === 'approval') ||
    open.some(({ askedAt, passedAt, skipped }) => askedAt && !passedAt && !skipped)
  );
}

/** Whether a later stage waits for a promotion, too, so that one more step is not all. */
function leadsFurther({ stage, actions }: ReleaseView, stages: StageView[]): boolean {
  return (
    actions.promote.allowed &&
    stage !== undefined &&
    stages.some(({ index, untilPromoted }) => index > stage.index && untilPromoted)
  );
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
    default:
      return text(`action.${name}`);
  }
}

/** Where a promotion leads; undefined in the last stage. */
export function nextStage(release: ReleaseView, stages: StageView[]): StageView | undefined {
  const index = release.stage?.index;
  return index === undefined ? undefined : stages.find(stage => stage.index === index + 1);
}
