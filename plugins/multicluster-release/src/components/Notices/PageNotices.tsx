import type { ServiceSummary } from 'backstage-plugin-multicluster-release-common';
import { describeProblem } from '../../api';
import { useNow, useTexts, type Polled } from '../../hooks';
import { Notice } from './Notice';

const STALE_AFTER_MILLISECONDS = 60_000;
/** An answer of an idle page is older than a minute before the next one is there. */
const STALE_IDLE_MILLISECONDS = 90_000;

/** Demonstration, old data, failed refresh, clusters that did not answer. */
export function PageNotices(props: {
  summary: Polled<ServiceSummary>;
  /** Browser clock of the newest answer about the release. */
  updatedAt?: number;
  active: boolean;
  timeScale?: number;
}) {
  const { summary, updatedAt, active, timeScale } = props;
  const texts = useTexts();
  useNow();
  const age = updatedAt === undefined ? 0 : Date.now() - updatedAt;
  const stale = age > (active ? STALE_AFTER_MILLISECONDS : STALE_IDLE_MILLISECONDS);
  return (
    <>
      {timeScale !== undefined && timeScale !== 1 && (
        <Notice status="paused">
          {texts.text('banner.timeScale', { scale: texts.percent(timeScale) })}
        </Notice>
      )}
      {stale && (
        <Notice status="waiting" role="status">
          {texts.text('banner.stale', { age: texts.age(age) })}
        </Notice>
      )}
      {summary.error !== undefined && summary.value && (
        <Notice status="waiting">
          {texts.text('banner.refreshFailed', { message: describeProblem(summary.error).message })}
        </Notice>
      )}
      {summary.value?.definitionProblem && (
        <Notice status="waiting">
          {texts.text('banner.documents', { message: summary.value.definitionProblem })}
        </Notice>
      )}
      {summary.value && <PartialNotice summary={summary.value} />}
    </>
  );
}

function PartialNotice({ summary }: { summary: ServiceSummary }) {
  const { text, list } = useTexts();
  const { answered, total } = summary.clustersAnswered;
  if (answered >= total) {
    return null;
  }
  const silent = summary.versions.filter(({ clusterState }) => clusterState !== 'ok');
  const names = [...new Set(silent.map(({ cluster }) => cluster))];
  return (
    <Notice status="unknown">
      {text('banner.partial', {
        missing: total - answered,
        count: total,
        names: names.length > 0 ? list(names) : text('clusters.unknown'),
      })}
    </Notice>
  );
}
