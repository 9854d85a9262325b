import Typography from '@material-ui/core/Typography';
import { Link } from '@backstage/core-components';
import { useApi } from '@backstage/frontend-plugin-api';
import { useEntityRefLink } from '@backstage/plugin-catalog-react';
import type { OpenApproval } from 'backstage-plugin-multicluster-release-common';
import { multiclusterReleaseApiRef } from '../../api';
import { useNow, usePolled, useTexts } from '../../hooks';
import { approvalWords, entityName, stageName } from '../../text';
import { DataTable, type Column } from '../DataTable';
import { Moment } from '../Moment';
import { FleetAnswer } from './FleetAnswer';

const INTERVAL_MILLISECONDS = 15_000;

/** Questions to people that are open now; those that the viewer can answer come first. */
export function Approvals() {
  const api = useApi(multiclusterReleaseApiRef);
  const { text } = useTexts();
  const approvals = usePolled({
    subject: 'approvals',
    load: () => api.listApprovals(),
    interval: () => INTERVAL_MILLISECONDS,
  });
  return (
    <FleetAnswer answer={approvals}>
      {items =>
        items.length === 0 ? (
          <Typography>{text('approvals.none')}</Typography>
        ) : (
          <ApprovalTable items={items} />
        )
      }
    </FleetAnswer>
  );
}

function ApprovalTable({ items }: { items: OpenApproval[] }) {
  const texts = useTexts();
  const { text } = texts;
  const now = useNow(60_000);
  const mineFirst = [...items].sort((a, b) => Number(b.mine) - Number(a.mine));
  const columns: Column<OpenApproval>[] = [
    { header: text('active.service'), render: ({ service }) => entityName(service) },
    { header: text('active.version'), render: ({ targetVersion }) => targetVersion },
    { header: text('active.stage'), render: ({ stage }) => stageName(stage, texts) },
    {
      header: text('approvals.since'),
      render: ({ askedAt }) => (askedAt === undefined ? '–' : <Moment at={askedAt} />),
    },
    {
      header: text('approvals.state'),
      render: approval =>
        approvalWords(approval, texts, now).map(words => <div key={words}>{words}</div>),
    },
    { header: text('approvals.action'), render: approval => <Answer approval={approval} /> },
  ];
  return (
    <DataTable
      label={text('page.approvalsTab')}
      columns={columns}
      rows={mineFirst}
      rowKey={({ releaseId, gate }) => `${releaseId}:${gate}`}
    />
  );
}

/** Leads to the release, where the question can be looked at before it is answered. */
function Answer({ approval: { service, releaseId, gate, mine } }: { approval: OpenApproval }) {
  const { text } = useTexts();
  const entityLink = useEntityRefLink();
  const query = new URLSearchParams({ release: releaseId, ...(mine ? { approve: gate } : {}) });
  return (
    <Link to={`${entityLink(service)}/releases?${query}`}>
      {text(mine ? 'approvals.answer' : 'approvals.open')}
    </Link>
  );
}
