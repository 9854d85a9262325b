import { useCallback, useState } from 'react';
import { makeStyles } from '@material-ui/core/styles';
import { stringifyEntityRef, type Entity } from '@backstage/catalog-model';
import { useApi } from '@backstage/frontend-plugin-api';
import { getEntityRelations, useEntity } from '@backstage/plugin-catalog-react';
import { usePermission } from '@backstage/plugin-permission-react';
import {
  releaseCreatePermission,
  type ServiceSummary,
} from 'backstage-plugin-multicluster-release-common';
import { describeProblem, multiclusterReleaseApiRef } from '../../api';
import {
  useReleaseDetails,
  useReleaseHint,
  useReleaseHistory,
  useServiceSummary,
  useTexts,
  useToast,
  useViewState,
} from '../../hooks';
import { LoadingSkeleton, Notice, NotSetUp, PageNotices, ProblemPanel } from '../Notices';
import { ReleaseHistory } from '../ReleaseHistory';
import { StartReleaseDialog } from '../StartReleaseDialog';
import { StopBanner } from '../StopBanner';
import { VersionsTable } from '../VersionsTable';
import { IdleTop } from './IdleTop';
import { ReleaseView } from './ReleaseView';
import { StartButton } from './StartButton';

const useStyles = makeStyles(theme => ({
  // On narrow screens the actions lie over the end of the page.
  root: { [theme.breakpoints.down('xs')]: { paddingBottom: theme.spacing(20) } },
}));

/** Everything about the releases of one service: the content of its tab. */
export function ReleasesContent() {
  return (
    <>
      <StopBanner />
      <ServiceContent />
    </>
  );
}

function ServiceContent() {
  const { entity } = useEntity();
  const service = stringifyEntityRef(entity);
  const news = useReleaseHint(service);
  const summary = useServiceSummary(service, news);
  if (summary.value) {
    return isSetUp(summary.value) ? (
      <ServiceReleases key={service} service={service} summary={summary} news={news} />
    ) : (
      <NotSetUp />
    );
  }
  if (summary.error === undefined) {
    return <LoadingSkeleton heights={[96, 64, 160, 240]} />;
  }
  if (describeProblem(summary.error).status === 403) {
    return <CannotView entity={entity} />;
  }
  return <ProblemPanel error={summary.error} onRetry={summary.refresh} />;
}

function isSetUp({ definition, activeRelease, lastRelease, versions }: ServiceSummary): boolean {
  return Boolean(definition ?? activeRelease ?? lastRelease) || versions.length > 0;
}

function CannotView({ entity }: { entity: Entity }) {
  const { text, list } = useTexts();
  const owners = getEntityRelations(entity, 'ownedBy').map(owner => owner.name);
  return (
    <Notice status="stopped">
      {owners.length > 0
        ? text('state.cannotView', { owner: list(owners) })
        : text('state.cannotViewUnowned')}
    </Notice>
  );
}

function useStartPermission(service: string): boolean | undefined {
  const { allowed, loading } = usePermission({
    permission: releaseCreatePermission,
    resourceRef: service,
  });
  return loading && !allowed ? undefined : allowed;
}

/** Releases a hold from the top of the page, and tells where that was refused. */
function useReleaseHold(refresh: () => Promise<void>): (holdId: string) => Promise<void> {
  const api = useApi(multiclusterReleaseApiRef);
  const toast = useToast();
  const { text } = useTexts();
  return useCallback(
    async (holdId: string) => {
      try {
        await api.releaseHold(holdId);
      } catch (error) {
        const { message } = describeProblem(error);
        const action = text('hold.release');
        toast({ status: 'danger', title: text('action.failed', { action, message }) });
      }
      await refresh();
    },
    [api, toast, text, refresh],
  );
}

interface ServiceReleasesProps {
  service: string;
  summary: ReturnType<typeof useServiceSummary>;
  news: ReturnType<typeof useReleaseHint>;
}

function ServiceReleases({ service, summary, news }: ServiceReleasesProps) {
  const classes = useStyles();
  const view = useViewState();
  const permitted = useStartPermission(service);
  const [starting, setStarting] = useState<{ open: boolean; version?: string }>({ open: false });
  const current = summary.value;
  const shownId = view.release ?? current?.activeRelease?.id ?? current?.lastRelease?.id;
  const details = useReleaseDetails(shownId, news);
  const newest = current?.lastRelease?.id;
  const history = useReleaseHistory(service, `${newest}:${details.value?.release.revision}`);
  const active = current?.activeRelease;
  const { refresh: refreshSummary } = summary;
  const { refresh: refreshDetails } = details;
  const { refresh: refreshHistory } = history.releases;
  const { set } = view;
  const releaseHold = useReleaseHold(refreshSummary);
  const show = useCallback(
    async (releaseId: string) => {
      if (releaseId !== shownId) {
        set('release', releaseId);
      }
      await Promise.all([refreshSummary(), refreshDetails(), refreshHistory()]);
    },
    [set, shownId, refreshSummary, refreshDetails, refreshHistory],
  );
  if (!current) {
    return null;
  }
  const releases = history.releases.value?.items ?? [];
  const hasDocuments = (current.definition?.releases.length ?? 0) > 0;
  const startButton = (
    <StartButton
      permitted={permitted}
      busy={active !== undefined}
      hasDocuments={hasDocuments}
      onStart={() => setStarting({ open: true })}
    />
  );
  return (
    <div className={classes.root}>
      <PageNotices
        summary={summary}
        updatedAt={details.updatedAt ?? summary.updatedAt}
        active={active !== undefined}
        timeScale={details.value?.release.timeScale}
      />
      {shownId === undefined ? (
        <IdleTop summary={current} startButton={startButton} />
      ) : (
        <ReleaseView
          details={details}
          live={news.live}
          releases={releases}
          query={view.q ?? ''}
          onQuery={query => view.set('q', query)}
          onShow={show}
          onLatest={view.release ? () => view.set('release', undefined) : undefined}
          startButton={active ? undefined : startButton}
          askedGate={view.approve}
          onAnswered={() => view.set('approve', undefined)}
          summary={current}
          onReleaseHold={releaseHold}
        />
      )}
      <VersionsTable summary={current} onRemoved={show} />
      {releases.length > 0 && (
        <ReleaseHistory
          releases={releases}
          shownId={shownId}
          hasMore={history.releases.value?.hasMore ?? false}
          onMore={history.more}
          onOpen={show}
          onAgain={
            permitted && hasDocuments ? version => setStarting({ open: true, version }) : undefined
          }
          onDone={show}
          beside={active && startButton}
        />
      )}
      <StartReleaseDialog
        // A version that was asked for by name begins a draft of its own.
        key={starting.version ?? ''}
        service={service}
        open={starting.open}
        initialVersion={starting.version}
        onClose={() => setStarting({ ...starting, open: false })}
        onStarted={show}
        onHoldReleased={refreshSummary}
      />
    </div>
  );
}
