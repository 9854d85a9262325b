import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import type { Plan, PlanStage, PreviewView } from 'backstage-plugin-multicluster-release-common';
import { useTexts } from '../../hooks';
import { firstNames, measurementWords, shortDigest, stageName, type Texts } from '../../text';
import { ReasonField } from '../ConfirmDialog';
import { Section } from '../DataTable';
import { DiffView } from '../DiffView';
import { HoldNotice } from '../HoldNotice';
import { Notice } from '../Notices';
import { quietColor } from '../ReleaseStatus';
import { Findings } from './Findings';
import type { StartRelease } from './useStartRelease';

const useStyles = makeStyles(theme => ({
  list: { margin: 0, paddingLeft: theme.spacing(3), overflowWrap: 'anywhere' },
  item: { marginBottom: theme.spacing(0.5), ...theme.typography.body2 },
  quiet: { color: quietColor(theme) },
}));

/** What a start would do: targets, stages, what was found, what changes. */
export function PreviewStep({ flow }: { flow: StartRelease }) {
  const { text } = useTexts();
  const classes = useStyles();
  const { preview, planMoved } = flow.draft;
  if (!preview) {
    return null;
  }
  const { plan, findings, excluded, diff } = preview;
  const blocked = !plan || findings.some(({ severity }) => severity === 'error');
  return (
    <>
      {planMoved && (
        <Notice status="waiting" role="alert">
          {text('start.planMoved')}
        </Notice>
      )}
      {blocked && (
        <Notice status="failed" role="alert">
          {text('start.blocked')}
        </Notice>
      )}
      {flow.hold && <HoldNotice hold={flow.hold} onRelease={flow.releaseHold} />}
      {plan && (
        <>
          <Typography>{targetsSummary(plan, text)}</Typography>
          <Typography variant="body2" className={classes.quiet}>
            {text('start.planHash', { hash: shortDigest(plan.hash) })}
          </Typography>
        </>
      )}
      {findings.length > 0 && <Findings findings={findings} />}
      {plan && <PlanStages plan={plan} />}
      {excluded.length > 0 && <Excluded excluded={excluded} />}
      {plan && (
        <Section title={text('start.diff')}>
          <DiffView diff={diff} />
        </Section>
      )}
      {plan && (
        <ReasonField
          needed={false}
          reason={flow.draft.reason}
          onReason={reason => flow.change({ reason })}
        />
      )}
    </>
  );
}

function targetsSummary({ targets }: Plan, text: Texts['text']): string {
  const unchanged = targets.filter(target => target.unchanged).length;
  const changed = text('start.targets', { count: targets.length - unchanged });
  return unchanged > 0 ? `${changed}; ${text('start.unchanged', { count: unchanged })}` : changed;
}

function PlanStages({ plan }: { plan: Plan }) {
  const texts = useTexts();
  const classes = useStyles();
  return (
    <Section title={texts.text('start.plan')}>
      <ol className={classes.list}>
        {plan.stages.map(stage => (
          <li key={stage.index} className={classes.item}>
            {stageLine(plan, stage, texts)}
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** Name, clusters, how many at a time, and what it waits for at its end. */
function stageLine(plan: Plan, stage: PlanStage, texts: Texts): string {
  const { text, duration } = texts;
  const clusters = new Map(plan.targets.map(({ key, cluster }) => [key, cluster]));
  const names = stage.targets.map(key => clusters.get(key) ?? key);
  const parts = [
    text('start.planStage', {
      name: stageName(stage, texts),
      clusters: firstNames(names) || text('rail.progress', { count: 0 }),
    }),
  ];
  if (stage.concurrency < stage.targets.length) {
    parts.push(text('start.planConcurrency', { count: stage.concurrency }));
  }
  for (const { wait, metrics } of stage.steps) {
    if (wait?.for === 'soak') {
      parts.push(text('rail.soak', { duration: duration(wait.milliseconds) }));
    } else if (wait?.for === 'promotion') {
      parts.push(text('rail.promotion'));
    }
    if (metrics) {
      parts.push(text('start.planMetrics', { what: measurementWords(metrics, texts) }));
    }
  }
  return parts.join(text('sentence.separator'));
}

function Excluded({ excluded }: { excluded: PreviewView['excluded'] }) {
  const { text } = useTexts();
  const classes = useStyles();
  return (
    <Section title={text('start.excluded')}>
      <ul className={classes.list}>
        {excluded.map(({ cluster, rule }) => (
          <li key={`${cluster}:${rule}`} className={classes.item} lang="en">
            {text('start.excludedRow', { cluster, rule })}
          </li>
        ))}
      </ul>
    </Section>
  );
}
