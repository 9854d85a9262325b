import Typography from '@material-ui/core/Typography';
import { Link } from '@backstage/core-components';
import { useApi } from '@backstage/frontend-plugin-api';
import { useEntityRefLink } from '@backstage/plugin-catalog-react';
import type { ReleaseView } from 'backstage-plugin-multicluster-release-common';
import { multiclusterReleaseApiRef } from '../../api';
import { useNow, usePolled, useTexts } from '../../hooks';
import { entityName, stageName, versionsWord, waitingReason, type Texts } from '../../text';
import { DataTable, type Column } from '../DataTable';
import { ReleaseStateWord } from '../ReleaseStatus';
import { FleetAnswer } from './FleetAnswer';

const INTERVAL_MILLISECONDS = 15_000;
const LIMIT = 100;

/** Releases that have not ended, of all services that the viewer may see. */
export function ActiveReleases() {
  const api = useApi(multiclusterReleaseApiRef);
  const { text } = useTexts();
  const releases = usePolled({
    subject: 'active',
    load: () => api.listReleases({ state: 'active', limit: LIMIT }),
    interval: () => INTERVAL_MILLISECONDS,
  });
  return (
    <FleetAnswer answer={releases}>
      {({ items }) =>
        items.length === 0 ? (
          <Typography>{text('active.none')}</Typography>
        ) : (
          <ActiveTable releases={items} />
        )
      }
    </FleetAnswer>
  );
}

function ActiveTable({ releases }: { releases: ReleaseView[] }) {
  const texts = useTexts();
  const now = useNow();
  const entityLink = useEntityRefLink();
  const { text } = texts;
  const columns: Column<ReleaseView>[] = [
    {
      header: text('active.service'),
      render: ({ id, service }) => (
        <Link to={`${entityLink(service)}/releases?release=${encodeURIComponent(id)}`}>
          {entityName(service)}
        </Link>
      ),
    },
    { header: text('active.version'), render: release => versionsWord(release, texts) },
    { header: text('active.state'), render: release => <ReleaseStateWord release={release} /> },
    {
      header: text('active.waiting'),
      render: ({ waiting: [first] }) => (first ? waitingReason(first, texts, now) : '–'),
    },
    { header: text('active.stage'), render: release => stage(release, texts) },
    {
      header: text('active.age'),
      render: ({ createdAt }) => texts.duration(now - createdAt),
    },
    { header: text('active.clusters'), render: release => clusters(release, texts) },
  ];
  return (
    <DataTable
      label={text('page.activeTab')}
      columns={columns}
      rows={releases}
      rowKey={({ id }) => id}
    />
  );
}

function stage({ stage: current }: ReleaseView, texts: Texts): string {
  const { text } = texts;
  return current
    ? `${text('header.stage', { number: current.index + 1, total: current.total })}: ${stageName(
        current,
        texts,
      )}`
    : '–';
}

function clusters({ counts }: ReleaseView, { text, list }: Texts): string {
  const { done, total, failed } = counts;
  const progress = text('active.progress', { done, total });
  return failed > 0 ? list([progress, text('active.failed', { count: failed })]) : progress;
}
