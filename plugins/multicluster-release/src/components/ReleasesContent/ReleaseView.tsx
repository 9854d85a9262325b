import type { ReactNode } from 'react';
import {
  isFinalRelease,
  RELEASE_STATES,
  type EventView,
  type ReleaseView as Release,
  type ServiceSummary,
  type TargetView,
} from 'backstage-plugin-multicluster-release-common';
import { Button } from '../Button';
import {
  useMetricGates,
  useNow,
  useReleaseEvents,
  useTexts,
  type Polled,
  type ReleaseDetails,
} from '../../hooks';
import { plainWords, queueNamed, releaseSentence, rollbackReason, sinceThen } from '../../text';
import { ClusterLanes } from '../ClusterLanes';
import { EventsList } from '../EventsList';
import { HoldNotice } from '../HoldNotice';
import { Measurements } from '../Measurements';
import { LiveAnnouncer, LoadingSkeleton, ProblemPanel } from '../Notices';
import { ReleaseActions } from '../ReleaseActions';
import { ReleaseHeader } from '../ReleaseHeader';
import { nextNewer } from '../ReleaseName';
import { StageRail } from '../StageRail';
import { WaitingSentence } from '../WaitingSentence';
import { NewerRuns } from './NewerRuns';

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
  /** Gate of a question that a link leads to. */
  askedGate?: string;
  onAnswered: () => void;
  /** What runs where, and what is on hold. */
  summary: ServiceSummary;
  onReleaseHold: (holdId: string) => Promise<void>;
}

/** One release from top to bottom: header, sentence, stages, clusters, measurements, events. */
export function ReleaseView(props: ReleaseViewProps) {
  const { details, onLatest } = props;
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
  return <ShownRelease {...props} value={value} />;
}

function ShownRelease(props: ReleaseViewProps & { value: ReleaseDetails }) {
  const { value, details, live, releases, query, onQuery, onShow, startButton } = props;
  const { release, stages, targets } = value;
  const events = useReleaseEvents(release.id, release.revision);
  const gates = useMetricGates(value);
  const others = releases.filter(({ id, state }) => id !== release.id && !isFinalRelease(state));
  const newer = isFinalRelease(release.state) ? nextNewer(release, others) : undefined;
  return (
    <>
      <ReleaseHeader
        release={release}
        updatedAt={details.updatedAt}
        live={live}
        others={others}
        releases={releases}
        onChoose={onShow}
      >
        <ReleaseActions
          details={value}
          metricGates={gates.value}
          askedGate={props.askedGate}
          onAnswered={props.onAnswered}
          onDone={onShow}
        />
        {startButton}
      </ReleaseHeader>
      {newer && <NewerRuns newer={newer} onOpen={onShow} />}
      <ReleaseSentence {...props} release={release} targets={targets} events={events.value ?? []} />
      <StageRail release={release} stages={stages} />
      <ClusterLanes release={release} targets={targets} query={query} onQuery={onQuery} />
      <Measurements release={release} stages={stages} gates={gates} live={live} />
      <EventsList events={events} />
    </>
  );
}

interface ReleaseSentenceProps
  extends Pick<ReleaseViewProps, 'summary' | 'onReleaseHold' | 'releases'> {
  release: Release;
  targets: TargetView[];
  events: EventView[];
}

/** States that say that something went wrong, and not what. */
const ASKS_WHY: readonly Release['state'][] = ['RollingBack', 'RolledBack', 'Failed'];

function ReleaseSentence(props: ReleaseSentenceProps) {
  const { release, targets, events, summary, onReleaseHold } = props;
  const texts = useTexts();
  const now = useNow();
  const sentence = releaseSentence(queueNamed(release, props.releases), texts, now);
  const { state } = release;
  const { key } = RELEASE_STATES[state];
  const hold = summary.holds.find(({ version }) => version === release.targetVersion);
  const ownHold = hold?.releaseId === release.id ? hold : undefined;
  const told = rollbackReason(events) ?? (ownHold && plainWords(ownHold.reason));
  const why = ASKS_WHY.includes(state) ? told : undefined;
  return (
    <>
      <WaitingSentence
        sentence={sentence}
        status={key}
        why={why}
        sinceThen={sinceThen(release, targets, summary, texts)}
      />
      {hold && (
        <HoldNotice
          hold={hold}
          whyIsTold={why !== undefined && hold === ownHold}
          onRelease={onReleaseHold}
        />
      )}
      <LiveAnnouncer
        message={`${release.targetVersion}: ${texts.text(`releaseState.${state}`)}`}
        urgent={key === 'failed'}
      />
    </>
  );
}
