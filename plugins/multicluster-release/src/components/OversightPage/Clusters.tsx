import { useState } from 'react';
import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import { useApi } from '@backstage/frontend-plugin-api';
import {
  clusterWritePermission,
  type ClusterView,
} from 'backstage-plugin-multicluster-release-common';
import { multiclusterReleaseApiRef, type ClusterList } from '../../api';
import { useFleetPermission, useNow, usePolled, useTexts } from '../../hooks';
import { entityName, type Texts } from '../../text';
import { DataTable, type Column } from '../DataTable';
import { GuardedButton } from '../GuardedButton';
import { Age } from '../Moment';
import { Notice } from '../Notices';
import { ClusterStateWord, quietColor } from '../ReleaseStatus';
import { CordonDialog } from './CordonDialog';
import { FleetAnswer } from './FleetAnswer';

const MOVING_MILLISECONDS = 5_000;
const IDLE_MILLISECONDS = 15_000;
const BYTES_PER_GIBIBYTE = 1_024 ** 3;

const useStyles = makeStyles(theme => ({
  quiet: {
    color: quietColor(theme),
    ...theme.typography.caption,
    whiteSpace: 'normal',
  },
}));

/** Every cluster that we know of, and how it is to be reached. */
export function Clusters() {
  const api = useApi(multiclusterReleaseApiRef);
  const { text } = useTexts();
  const clusters = usePolled({
    subject: 'clusters',
    load: () => api.listClusters(),
    interval: found =>
      found?.items.some(({ state }) => state === 'starting')
        ? MOVING_MILLISECONDS
        : IDLE_MILLISECONDS,
  });
  return (
    <FleetAnswer answer={clusters}>
      {found => (
        <>
          <ListNotice list={found} />
          {found.items.length === 0 ? (
            <Typography>{text('clusters.none')}</Typography>
          ) : (
            <ClusterTable clusters={found.items} onChange={clusters.refresh} />
          )}
        </>
      )}
    </FleetAnswer>
  );
}

/** How far the list itself can be trusted. Before the first one, why it cannot be read helps few. */
function ListNotice({ list: { stale, message, listedAt } }: { list: ClusterList }) {
  const { text } = useTexts();
  if (!stale) {
    return null;
  }
  if (listedAt !== undefined) {
    return (
      <Notice status="waiting" role="status">
        {text('clusters.stale', { message: message ?? '' })}
      </Notice>
    );
  }
  return (
    <Notice status="running" role="status">
      {text('clusters.notListed')}
      {message && (
        <details>
          <summary>{text('clusters.why')}</summary>
          <span lang="en">{message}</span>
        </details>
      )}
    </Notice>
  );
}

function ClusterTable(props: { clusters: ClusterView[]; onChange: () => Promise<void> }) {
  const { clusters, onChange } = props;
  const [asked, setAsked] = useState<ClusterView>();
  const texts = useTexts();
  const { text } = texts;
  const unknown = text('clusters.unknown');
  const columns: Column<ClusterView>[] = [
    { header: text('clusters.cluster'), render: cluster => <Name cluster={cluster} /> },
    { header: text('clusters.region'), render: ({ region }) => region ?? '–' },
    { header: text('clusters.state'), render: cluster => <State cluster={cluster} /> },
    {
      header: text('clusters.kubernetes'),
      render: ({ kubernetesVersion }) => kubernetesVersion ?? unknown,
    },
    {
      header: text('clusters.nodes'),
      render: ({ nodes }) => (nodes ? `${nodes.ready} / ${nodes.total}` : unknown),
    },
    { header: text('clusters.capacity'), render: cluster => capacity(cluster, texts) ?? unknown },
    {
      header: text('clusters.report'),
      render: ({ reportedAt }) =>
        reportedAt === undefined ? text('clusters.never') : <Age at={reportedAt} />,
    },
    {
      header: text('clusters.action'),
      render: cluster => <CordonButton cluster={cluster} onPress={() => setAsked(cluster)} />,
    },
  ];
  return (
    <>
      <DataTable
        label={text('page.clustersTab')}
        columns={columns}
        rows={clusters}
        rowKey={({ name }) => name}
      />
      {asked && (
        <CordonDialog cluster={asked} onDone={onChange} onClose={() => setAsked(undefined)} />
      )}
    </>
  );
}

function CordonButton(props: { cluster: ClusterView; onPress: () => void }) {
  const { name, cordoned } = props.cluster;
  const { text } = useTexts();
  const permission = useFleetPermission(clusterWritePermission);
  const denied = text('fleet.denied', { permission: clusterWritePermission.name });
  return (
    <GuardedButton
      size="small"
      allowed={permission === true}
      why={permission === false ? denied : undefined}
      label={text(cordoned ? 'clusters.uncordonLabel' : 'clusters.cordonLabel', { cluster: name })}
      onPress={props.onPress}
    >
      {text(cordoned ? 'clusters.uncordon' : 'clusters.cordon')}
    </GuardedButton>
  );
}

function Name({ cluster }: { cluster: ClusterView }) {
  const classes = useStyles();
  const labels = Object.entries(cluster.labels).map(([key, value]) => `${key}=${value}`);
  return (
    <>
      {cluster.title ?? cluster.name}
      <div className={classes.quiet}>{labels.join(', ')}</div>
    </>
  );
}

function State({ cluster }: { cluster: ClusterView }) {
  const texts = useTexts();
  const classes = useStyles();
  const now = useNow(60_000);
  const { cordoned } = cluster;
  return (
    <>
      <ClusterStateWord state={cluster.state} />
      {cluster.message && <div className={classes.quiet}>{cluster.message}</div>}
      {cordoned && (
        <div className={classes.quiet}>
          {texts.text('clusters.cordoned', {
            who: entityName(cordoned.by),
            time: texts.time(cordoned.since, now),
            reason: cordoned.reason,
          })}
        </div>
      )}
    </>
  );
}

function capacity({ capacity: has, requested }: ClusterView, texts: Texts): string | undefined {
  if (!has || !requested) {
    return undefined;
  }
  const { text, number, list } = texts;
  const gibibytes = (bytes: number) => number(bytes / BYTES_PER_GIBIBYTE);
  return list([
    text('clusters.cpu', { requested: number(requested.cpu), capacity: number(has.cpu) }),
    text('clusters.memory', {
      requested: gibibytes(requested.memory),
      capacity: gibibytes(has.memory),
    }),
    text('clusters.pods', { requested: requested.pods, capacity: has.pods }),
  ]);
}
