import { useState } from 'react';
import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import { usePermission } from '@backstage/plugin-permission-react';
import {
  releaseRemovePermission,
  targetKey,
  type RunningVersion,
  type ServiceSummary,
} from 'backstage-plugin-multicluster-release-common';
import { Button } from '../Button';
import { useSteadyOrder, useTexts } from '../../hooks';
import type { Texts } from '../../text';
import { DataTable, Section, type Column } from '../DataTable';
import { Age, Moment } from '../Moment';
import { HealthWord, quietColor, ReleaseStatus } from '../ReleaseStatus';
import { RemoveDialog } from './RemoveDialog';
import { versionOrder } from './versionOrder';
import { versionWords } from './versionWords';

const PAGE_SIZE = 10;

const useStyles = makeStyles(theme => ({
  quiet: { color: quietColor(theme), ...theme.typography.caption },
}));

/** Which version runs on which cluster. What is not known reads so, with why; it is never a zero. */
export function VersionsTable(props: {
  summary: ServiceSummary;
  /** The release that takes the service off a cluster is to be shown. */
  onRemoved: (releaseId: string) => Promise<void>;
}) {
  const { summary, onRemoved } = props;
  const { text } = useTexts();
  const [leaving, setLeaving] = useState<RunningVersion>();
  const mayRemove = usePermission({
    permission: releaseRemovePermission,
    resourceRef: summary.service,
  }).allowed;
  const { versions, clustersAnswered } = summary;
  const [shown, setShown] = useState(PAGE_SIZE);
  const rest = versions.length - shown;
  const { order, moved, apply, holders } = useSteadyOrder(versionOrder(versions));
  const byKey = new Map(versions.map(running => [targetKey(running) as string, running]));
  const rows = order.flatMap(key => byKey.get(key) ?? []);
  const columns: Column<RunningVersion>[] = [
    { header: text('versions.cluster'), render: running => <Where running={running} /> },
    { header: text('versions.version'), render: running => <Version running={running} /> },
    { header: text('versions.health'), render: running => <Health running={running} /> },
    {
      header: text('versions.since'),
      render: ({ since }) => (since === undefined ? '–' : <Moment at={since} />),
    },
    {
      header: text('versions.report'),
      render: ({ reportedAt }) =>
        reportedAt === undefined ? text('lanes.notReported') : <Age at={reportedAt} />,
    },
    ...(mayRemove ? [removeColumn(text, setLeaving)] : []),
  ];
  return (
    <Section
      title={text('versions.title')}
      beside={
        <Typography variant="body2">
          {text('versions.answered', {
            answered: clustersAnswered.answered,
            count: clustersAnswered.total,
          })}
        </Typography>
      }
    >
      {versions.length === 0 ? (
        <Typography variant="body2">{text('versions.none')}</Typography>
      ) : (
        <div {...holders}>
          {moved > 0 && (
            <Button size="small" variant="outlined" onClick={apply}>
              {text('lanes.applyOrder', { count: moved })}
            </Button>
          )}
          <DataTable
            label={text('versions.title')}
            columns={columns}
            rows={rows.slice(0, shown)}
            rowKey={targetKey}
          />
        </div>
      )}
      {rest > 0 && (
        <Button size="small" onClick={() => setShown(shown + PAGE_SIZE)}>
          {text('lanes.showMore', { count: Math.min(rest, PAGE_SIZE) })}
        </Button>
      )}
      {leaving && (
        <RemoveDialog
          service={summary.service}
          target={{ cluster: leaving.cluster, namespace: leaving.namespace }}
          onRemoved={onRemoved}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </Section>
  );
}

function removeColumn(
  text: Texts['text'],
  onRemove: (running: RunningVersion) => void,
): Column<RunningVersion> {
  return {
    header: text('versions.action'),
    render: running => (
      <Button
        size="small"
        style={{ textTransform: 'none' }}
        aria-label={text('remove.label', { cluster: running.cluster })}
        onClick={() => onRemove(running)}
      >
        {text('remove.button')}
      </Button>
    ),
  };
}

function Where({ running }: { running: RunningVersion }) {
  const classes = useStyles();
  return (
    <>
      {running.cluster}
      <div className={classes.quiet}>{running.namespace}</div>
    </>
  );
}

function Version({ running }: { running: RunningVersion }) {
  const texts = useTexts();
  const classes = useStyles();
  const { status, words, detail } = versionWords(running, texts);
  return (
    <>
      {status ? <ReleaseStatus status={status} word={words} /> : words}
      {detail && <div className={classes.quiet}>{detail}</div>}
    </>
  );
}

function Health({ running }: { running: RunningVersion }) {
  const { text } = useTexts();
  const classes = useStyles();
  const { state, ready, total, message } = running.health;
  // No pods of none says only that nothing is known of them yet.
  const pods = ready !== undefined && total !== undefined && total > 0;
  // What a cluster said before it fell silent is no statement about now.
  const known = running.clusterState === 'ok';
  return (
    <>
      <HealthWord state={known ? state : 'Unknown'} />
      {known && pods && (
        <div className={classes.quiet}>{text('lanes.pods', { ready, count: total })}</div>
      )}
      {known && message && <div className={classes.quiet}>{message}</div>}
    </>
  );
}
