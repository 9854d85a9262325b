import { makeStyles } from '@material-ui/core/styles';
import type { Finding, StatusKey } from 'backstage-plugin-multicluster-release-common';
import { useTexts } from '../../hooks';
import { Section } from '../DataTable';
import { ReleaseStatus } from '../ReleaseStatus';
import { findingGroups, type FindingGroup } from './findingGroups';

/** What more clusters than these say is folded. */
const OPEN_UP_TO = 5;
const MOST_NAMES = 8;

const SEVERITY_KEYS: Record<Finding['severity'], StatusKey> = {
  error: 'failed',
  warning: 'waiting',
  info: 'pending',
};

const useStyles = makeStyles(theme => ({
  list: { listStyle: 'none', margin: 0, padding: 0, overflowWrap: 'anywhere' },
  item: { marginBottom: theme.spacing(0.5), ...theme.typography.body2 },
  summary: { cursor: 'pointer' },
  clusters: { margin: 0, paddingLeft: theme.spacing(3) },
}));

/** What a preview found, the worst first. */
export function Findings({ findings }: { findings: Finding[] }) {
  const { text } = useTexts();
  const classes = useStyles();
  return (
    <Section title={text('start.findings')}>
      <ul className={classes.list}>
        {findingGroups(findings).map(group => (
          <li key={group.key} className={classes.item}>
            <ReleaseStatus
              status={SEVERITY_KEYS[group.severity]}
              word={text(`severity.${group.severity}`)}
            />{' '}
            {group.metric && group.findings.length > 1 ? (
              <Several metric={group.metric} findings={group.findings} />
            ) : (
              <Alone finding={group.findings[0]} />
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The server's words, which are English in every language of the page, and where if they do not say. */
function Alone({ finding }: { finding: Finding }) {
  const { path, cluster, message, params } = finding;
  // What a measurement says is the same on every cluster; other findings begin with theirs.
  const saysWhere = params.metric === undefined && cluster && message.includes(cluster);
  return (
    <>
      {path && <code>{path}: </code>}
      {cluster && !saysWhere && `${cluster}: `}
      <span lang="en">{message}</span>
    </>
  );
}

/** What a measurement found on several clusters, and what it read on each. */
function Several(props: Required<Pick<FindingGroup, 'metric' | 'findings'>>) {
  const { metric, findings } = props;
  const { text, list } = useTexts();
  const classes = useStyles();
  const names = [...new Set(findings.flatMap(({ cluster }) => cluster ?? []))];
  const rest = names.length - MOST_NAMES;
  const shown = rest > 0 ? [...names.slice(0, MOST_NAMES), `+${rest}`] : names;
  return (
    <>
      {text(`finding.${metric.code}`, { metric: metric.name, clusters: list(shown) })}
      <details open={findings.length <= OPEN_UP_TO}>
        <summary className={classes.summary}>{text('finding.more')}</summary>
        <ul className={classes.clusters}>
          {findings.map(finding => (
            <li key={`${finding.cluster}:${finding.message}`}>
              <Alone finding={finding} />
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}
