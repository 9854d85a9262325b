import type { ReactNode } from 'react';
import Button from '@material-ui/core/Button';
import {
  isFinalRelease,
  RELEASE_STATES,
  type ReleaseView as Release,
} from 'backstage-plugin-multicluster-release-common';
import { useNow, useTexts, type Polled, type ReleaseDetails } from '../../hooks';
import { releaseSentence } from '../../text';
import { ClusterLanes } from '../ClusterLanes';
import { EventsList } from '../EventsList';
import { LiveAnnouncer, LoadingSkeleton, ProblemPanel } from '../Notices';
import { ReleaseActions } from '../ReleaseActions';
import { ReleaseHeader } from '../ReleaseHeader';
import { StageRail } from '../StageRail';
import { WaitingSentence } from '../WaitingSentence';

interface ReleaseViewProps {
  details: Polled<ReleaseDetails>;
  live: boolean;
  /** Releases of the service, newest first. */
  releases: Release[];
  query: string;
  onQuery: (query: string) => void;
  onShow: (releaseId: string) => Promise<void>;
  /** Leaves a release that cannot be shown; undefined where it is the latest already. */
  onLatest?: () => void;
  startButton: ReactNode;
}

/** One release from top to bottom: header, sentence, stages, clusters, events. */
export function ReleaseView(props: ReleaseViewProps) {
  const { details, live, releases, query, onQuery, onShow, onLatest, startButton } = props;
  const { text } = useTexts();
  const { value } = details;
  if (!value) {
    return details.error === undefined ? (
      <LoadingSkeleton heights={[96, 64, 160, 240]} />
    ) : (
      <>
        <ProblemPanel error={details.error} onRetry={details.refresh} />
        {onLatest && <Button onClick={onLatest}>{text('state.toLatest')}</Button>}
      </>
    );
  }
  const { release, stages, targets } = value;
  const others = releases.filter(({ id, state }) => id !== release.id && !isFinalRelease(state));
  return (
    <>
      <ReleaseHeader
        release={release}
        updatedAt={details.updatedAt}
        live={live}
        others={others}
        onChoose={onShow}
      >
        <ReleaseActions details={value} onDone={onShow} />
        {startButton}
      </ReleaseHeader>
      <ReleaseSentence release={release} />
      <StageRail release={release} stages={stages} targets={targets} />
      <ClusterLanes release={release} targets={targets} query={query} onQuery={onQuery} />
      <EventsList releaseId={release.id} revision={release.revision} />
    </>
  );
}

function ReleaseSentence({ release }: { release: Release }) {
  const texts = useTexts();
  const now = useNow();
  const sentence = releaseSentence(release, texts, now);
  const { key } = RELEASE_STATES[release.state];
  return (
    <>
      <WaitingSentence sentence={sentence} status={key} />
      <LiveAnnouncer
        message={`${release.targetVersion}: ${texts.text(`releaseState.${release.state}`)}`}
        urgent={key === 'failed'}
      />
    </>
  );
}
