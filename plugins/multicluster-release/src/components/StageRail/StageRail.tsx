import Paper from '@material-ui/core/Paper';
import Typography from '@material-ui/core/Typography';
import { makeStyles, useTheme } from '@material-ui/core/styles';
import {
  isFinalRelease,
  type ReleaseView,
  type StageView,
} from 'backstage-plugin-multicluster-release-common';
import { useNow, useTexts } from '../../hooks';
import {
  approvalWords,
  shownStageState,
  stageName,
  waitingReason,
  type ShownStageState,
  type Texts,
} from '../../text';
import { Section } from '../DataTable';
import { quietColor, StageStateWord, statusColor } from '../ReleaseStatus';

/** A stage with more clusters than this shows counts instead of names. */
const MOST_NAMES = 4;

const useStyles = makeStyles(theme => ({
  list: {
    listStyle: 'none',
    margin: 0,
    padding: 0,
    display: 'grid',
    gap: theme.spacing(1),
    [theme.breakpoints.up('md')]: {
      gridTemplateColumns: 'repeat(auto-fit, minmax(190px, 1fr))',
    },
  },
  stage: { padding: theme.spacing(1.5, 2), borderTop: '4px solid', minWidth: 0 },
  current: { outline: `2px solid ${theme.palette.text.primary}`, outlineOffset: -1 },
  name: { overflowWrap: 'anywhere' },
  fact: { color: quietColor(theme), overflowWrap: 'anywhere' },
}));

interface StageRailProps {
  release: ReleaseView;
  stages: StageView[];
}

/** The stages in their order, each with its state, its clusters and what it waits for. */
export function StageRail({ release, stages }: StageRailProps) {
  const { text } = useTexts();
  const classes = useStyles();
  const current = isFinalRelease(release.state) ? undefined : release.stage?.index;
  return (
    <Section title={text('rail.title')}>
      <ol className={classes.list}>
        {stages.map(stage => (
          <Stage
            key={stage.index}
            stage={stage}
            state={shownStageState(stage, release)}
            isCurrent={stage.index === current}
            endedAt={release.finishedAt}
            timeScale={release.timeScale}
          />
        ))}
      </ol>
    </Section>
  );
}

interface StageProps {
  stage: StageView;
  state: ShownStageState;
  isCurrent: boolean;
  /** When the release ended; from then on, no stage runs or is still to come. */
  endedAt?: number;
  /** Share of their length at which pauses run; undefined: all of it. */
  timeScale?: number;
}

function Stage(props: StageProps) {
  const { stage, state, isCurrent } = props;
  const texts = useTexts();
  const now = useNow();
  const classes = useStyles();
  const theme = useTheme();
  return (
    <Paper
      component="li"
      variant="outlined"
      aria-current={isCurrent ? 'step' : undefined}
      className={`${classes.stage} ${isCurrent ? classes.current : ''}`}
      style={{ borderTopColor: statusColor(state, theme) }}
    >
      <Typography variant="subtitle1" component="div" className={classes.name}>
        {stage.index + 1}. {stageName(stage, texts)}
      </Typography>
      <Typography variant="body2" component="div">
        <StageStateWord state={state} />
      </Typography>
      {stage.state !== 'skipped' && (
        <Typography variant="body2">{progressText(stage, texts)}</Typography>
      )}
      {facts(props, texts, now).map(fact => (
        <Typography key={fact} variant="body2" className={classes.fact}>
          {fact}
        </Typography>
      ))}
    </Paper>
  );
}

function progressText({ done, total, failed }: StageView, { text, list }: Texts): string {
  const progress = text('rail.progress', { done, count: total });
  return failed > 0 ? list([progress, text('rail.failed', { count: failed })]) : progress;
}

function facts(props: StageProps, texts: Texts, now: number): string[] {
  const { stage, endedAt } = props;
  const { total, clusters } = stage;
  const named = total > 0 && total <= MOST_NAMES;
  const gates = stage.gates
    .filter(({ code }) => code !== 'approval' || !stage.approvals)
    .map(gate => waitingReason(gate, texts, now));
  // What an ended release would still have asked is of no use to anybody.
  const approvals = (stage.approvals ?? [])
    .filter(({ askedAt, skipped }) => endedAt === undefined || askedAt || skipped)
    .flatMap(approval => approvalWords(approval, texts, now));
  return [
    ...(named ? [clusters.join(', ')] : []),
    ...timeFacts(props, texts, now),
    ...new Set([...gates, ...approvals]),
  ];
}

function timeFacts({ stage, endedAt, timeScale }: StageProps, texts: Texts, now: number): string[] {
  const { text, duration } = texts;
  const { startedAt, finishedAt = endedAt, pauseMilliseconds, untilPromoted } = stage;
  if (startedAt !== undefined && finishedAt !== undefined) {
    return [text('rail.took', { duration: duration(finishedAt - startedAt) })];
  }
  if (endedAt !== undefined) {
    return [];
  }
  const found: string[] = [];
  if (startedAt !== undefined && stage.state !== 'done') {
    found.push(text('rail.running', { duration: duration(now - startedAt) }));
  }
  if (stage.gates.length === 0 && pauseMilliseconds) {
    found.push(soakFact(pauseMilliseconds, timeScale, texts));
  }
  if (stage.gates.length === 0 && untilPromoted) {
    found.push(text('rail.promotion'));
  }
  return found;
}

function soakFact(
  milliseconds: number,
  timeScale: number | undefined,
  { text, duration, percent }: Texts,
): string {
  const words = { duration: duration(milliseconds) };
  return timeScale === undefined || timeScale === 1
    ? text('rail.soak', words)
    : text('rail.soakScaled', { ...words, scale: percent(timeScale) });
}
