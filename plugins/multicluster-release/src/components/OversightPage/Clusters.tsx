import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import { useApi } from '@backstage/frontend-plugin-api';
import type { ClusterView } from 'backstage-plugin-multicluster-release-common';
import { describeProblem, multiclusterReleaseApiRef, type ClusterList } from '../../api';
import { usePolled, useTexts } from '../../hooks';
import type { Texts } from '../../text';
import { DataTable, type Column } from '../DataTable';
import { Age } from '../Moment';
import { LoadingSkeleton, Notice, ProblemPanel } from '../Notices';
import { ClusterStateWord, quietColor } from '../ReleaseStatus';

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
  if (clusters.value) {
    const { items } = clusters.value;
    return (
      <>
        <ListNotice list={clusters.value} />
        {items.length === 0 ? (
          <Typography>{text('clusters.none')}</Typography>
        ) : (
          <ClusterTable clusters={items} />
        )}
      </>
    );
  }
  if (clusters.error === undefined) {
    return <LoadingSkeleton heights={[240]} />;
  }
  return describeProblem(clusters.error).status === 403 ? (
    <Notice status="stopped">{text('state.cannotViewFleet')}</Notice>
  ) : (
    <ProblemPanel error={clusters.error} onRetry={clusters.refresh} />
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

function ClusterTable({ clusters }: { clusters: ClusterView[] }) {
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
  ];
  return (
    <DataTable
      label={text('page.clustersTab')}
      columns={columns}
      rows={clusters}
      rowKey={({ name }) => name}
    />
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
  const classes = useStyles();
  return (
    <>
      <ClusterStateWord state={cluster.state} />
      {cluster.message && <div className={classes.quiet}>{cluster.message}</div>}
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
