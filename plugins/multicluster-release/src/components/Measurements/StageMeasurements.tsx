import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import type { ReleaseView, StageView } from 'backstage-plugin-multicluster-release-common';
import { MOST_READINGS, useMeasurements, useNow, useTexts, type MetricGate } from '../../hooks';
import { limitWords, stageName, type Texts } from '../../text';
import { LoadingSkeleton, ProblemPanel } from '../Notices';
import { quietColor } from '../ReleaseStatus';
import { gateBeganAt } from './gateBeganAt';
import { MetricReadings } from './MetricReadings';

const useStyles = makeStyles(theme => ({
  root: { marginTop: theme.spacing(2) },
  name: { overflowWrap: 'anywhere' },
  rules: { margin: 0, paddingLeft: theme.spacing(2.5), ...theme.typography.body2 },
  quiet: { color: quietColor(theme) },
}));

interface StageMeasurementsProps {
  gate: MetricGate;
  stage: StageView;
  release: ReleaseView;
  live: boolean;
}

/** What the gate of one stage measures, and what it has read. */
export function StageMeasurements({ gate, stage, release, live }: StageMeasurementsProps) {
  const texts = useTexts();
  const classes = useStyles();
  const begun = stage.startedAt !== undefined;
  const readings = useMeasurements(release, begun ? gate.gate : undefined, live);
  const { value = [] } = readings;
  return (
    <div className={classes.root}>
      <Typography component="h4" variant="subtitle1" className={classes.name}>
        {stage.index + 1}. {stageName(stage, texts)}
      </Typography>
      {readings.loading && <LoadingSkeleton heights={[160]} />}
      {readings.error !== undefined && !readings.value && (
        <ProblemPanel error={readings.error} onRetry={readings.refresh} />
      )}
      {(!begun || readings.value?.length === 0) && (
        <Nothing gate={gate} stage={stage} release={release} />
      )}
      {value.length > 0 &&
        gate.rules.map(rule => (
          <MetricReadings
            key={rule.name}
            gate={gate}
            rule={rule}
            readings={value}
            timeScale={release.timeScale ?? 1}
          />
        ))}
      {value.length >= MOST_READINGS && (
        <Typography variant="body2" className={classes.quiet}>
          {texts.text('metrics.onlyNewest', { total: texts.number(MOST_READINGS) })}
        </Typography>
      )}
    </div>
  );
}

/** Before the first reading: what will be measured, and why nothing is there. */
function Nothing({ gate, stage, release }: Omit<StageMeasurementsProps, 'live'>) {
  const texts = useTexts();
  const classes = useStyles();
  const now = useNow(10_000);
  return (
    <>
      <ul className={classes.rules}>
        {gate.rules.map(rule => (
          <li key={rule.name}>
            {texts.text('metrics.named', { metric: rule.name, limit: limitWords(rule, texts) })}
          </li>
        ))}
      </ul>
      <Typography variant="body2" className={classes.quiet}>
        {whyNothing(gate, stage, release, texts, now)}
      </Typography>
    </>
  );
}

function whyNothing(
  { rules }: MetricGate,
  stage: StageView,
  release: ReleaseView,
  { text, clock }: Texts,
  now: number,
): string {
  switch (stage.state) {
    case 'pending':
    case 'running':
      return text(release.finishedAt === undefined ? 'metrics.notBegun' : 'metrics.noneEver');
    case 'waiting': {
      const began = gateBeganAt(stage, release);
      const delay = Math.min(...rules.map(rule => rule.initialDelayMilliseconds));
      const due = began === undefined ? undefined : began + delay * (release.timeScale ?? 1);
      return due !== undefined && due > now
        ? text('metrics.firstDue', { time: clock(due, now) })
        : text('metrics.noneYet');
    }
    default:
      return text('metrics.noneEver');
  }
}
