import type { ReleaseView, StageView } from 'backstage-plugin-multicluster-release-common';

export type ShownStageState = StageView['state'] | 'paused';

/** The state that people read of a stage: the one that a release is at stands still with it. */
export function shownStageState(
  { index, state }: Pick<StageView, 'index' | 'state'>,
  release: Pick<ReleaseView, 'stage' | 'state'>,
): ShownStageState {
  if (state !== 'running' || index !== release.stage?.index) {
    return state;
  }
  switch (release.state) {
    case 'Waiting':
      return 'waiting';
    case 'Paused':
      return 'paused';
    default:
      return state;
  }
}
