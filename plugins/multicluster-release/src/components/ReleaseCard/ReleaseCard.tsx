import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import { stringifyEntityRef } from '@backstage/catalog-model';
import { InfoCard, Link } from '@backstage/core-components';
import { useEntity, useEntityRefLink } from '@backstage/plugin-catalog-react';
import type { ServiceSummary } from 'backstage-plugin-multicluster-release-common';
import { describeProblem } from '../../api';
import { useNow, useReleaseHint, useServiceSummary, useTexts } from '../../hooks';
import { idleSentence, releaseSentence, runningVersions, type Texts } from '../../text';
import { LoadingSkeleton, ProblemPanel } from '../Notices';
import { ReleaseStateWord } from '../ReleaseStatus';
import { StopBanner } from '../StopBanner';

const HEIGHT = 116;

const useStyles = makeStyles(theme => ({
  root: { minHeight: HEIGHT, maxHeight: 220, overflow: 'hidden' },
  line: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'baseline',
    gap: theme.spacing(0, 2),
    marginBottom: theme.spacing(0.5),
  },
  sentence: {
    display: '-webkit-box',
    '-webkit-line-clamp': 3,
    '-webkit-box-orient': 'vertical',
    overflow: 'hidden',
    overflowWrap: 'anywhere',
  },
}));

/** What runs and what it waits for, in a few lines; everything else is on the tab. */
export function ReleaseCard() {
  const { entity } = useEntity();
  const { text } = useTexts();
  const service = stringifyEntityRef(entity);
  const summary = useServiceSummary(service, useReleaseHint(service));
  return (
    <InfoCard title={text('card.title')}>
      <StopBanner />
      {summary.value && <CardBody summary={summary.value} />}
      {summary.loading && <LoadingSkeleton heights={[HEIGHT]} />}
      {summary.error !== undefined && !summary.value && (
        <CardProblem error={summary.error} onRetry={summary.refresh} />
      )}
    </InfoCard>
  );
}

function CardProblem({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { text } = useTexts();
  if (describeProblem(error).status === 403) {
    return <Typography variant="body2">{text('state.cannotViewUnowned')}</Typography>;
  }
  return <ProblemPanel error={error} onRetry={onRetry} />;
}

function CardBody({ summary }: { summary: ServiceSummary }) {
  const texts = useTexts();
  const classes = useStyles();
  const now = useNow(10_000);
  const release = summary.activeRelease;
  const sentence = release
    ? releaseSentence(release, texts, now).main
    : idleSentence(summary, texts);
  return (
    <div className={classes.root}>
      <div className={classes.line}>
        <Typography variant="h6" component="span">
          {versionText(summary, texts)}
        </Typography>
        {release && <ReleaseStateWord release={release} />}
      </div>
      <Typography variant="body2" className={classes.sentence}>
        {sentence}
      </Typography>
      {release && (
        <Typography variant="body2">
          {texts.text('header.progress', {
            done: release.counts.done,
            count: release.counts.total,
          })}
        </Typography>
      )}
      <TabLink service={summary.service} />
    </div>
  );
}

function versionText(summary: ServiceSummary, { text }: Texts): string {
  const versions = runningVersions(summary.versions);
  if (versions.length === 0) {
    return text('card.noVersion');
  }
  return versions.length === 1 ? versions[0] : text('card.mixed', { count: versions.length });
}

function TabLink({ service }: { service: string }) {
  const { text } = useTexts();
  const entityLink = useEntityRefLink();
  return <Link to={`${entityLink(service)}/releases`}>{text('card.open')}</Link>;
}
