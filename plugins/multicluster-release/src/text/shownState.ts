/*
 * The server says `Progressing` as long as a release needs no person. To whoever
 * reads its reason for waiting beside it, it does not run but waits.
 */
import type {
  ReleaseState,
  ReleaseView,
  StageView,
  WaitingCode,
} from 'backstage-plugin-multicluster-release-common';

/** What stops a release, whatever its clusters are at. */
const STOPS_ALL: ReadonlySet<WaitingCode> = new Set([
  'stopall',
  'paused',
  'queue',
  'planChanged',
  'hold',
  'budget',
  'metric.undecided',
]);

/** No reason for waiting but work that goes on. */
const IS_WORK: ReadonlySet<WaitingCode> = new Set([
  'ready',
  'starting',
  'stage',
  'traffic',
  'metric',
  'metric.nodata',
]);

/** The state that people read of a release. */
export function shownState({
  state,
  waiting,
}: Pick<ReleaseView, 'state' | 'waiting'>): ReleaseState {
  if (state !== 'Progressing' || waiting.length === 0) {
    return state;
  }
  const stopped = waiting.some(({ code }) => STOPS_ALL.has(code));
  const works = waiting.some(({ code }) => IS_WORK.has(code));
  return stopped || !works ? 'Waiting' : state;
}

export type ShownStageState = StageView['state'] | 'paused';

/** The state that people read of a stage: the one that a release is at stands still with it. */
export function shownStageState(
  { index, state }: Pick<StageView, 'index' | 'state'>,
  release: ReleaseView,
): ShownStageState {
  if (state !== 'running' || index !== release.stage?.index) {
    return state;
  }
  switch (shownState(release)) {
    case 'Waiting':
      return 'waiting';
    case 'Paused':
      return 'paused';
    default:
      return state;
  }
}
