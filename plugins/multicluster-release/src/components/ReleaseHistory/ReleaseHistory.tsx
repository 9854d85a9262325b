import { useState, type ReactNode } from 'react';
import { makeStyles } from '@material-ui/core/styles';
import type { ReleaseView } from 'backstage-plugin-multicluster-release-common';
import { Button } from '../Button';
import { useNow, useTexts } from '../../hooks';
import { entityName, releasedVersion, strategyWord, versionName } from '../../text';
import { DataTable, Section, type Column } from '../DataTable';
import { Moment } from '../Moment';
import { RelatedReleases } from '../ReleaseName';
import { quietColor, ReleaseStateWord } from '../ReleaseStatus';
import { lengthOf } from './lengthOf';
import { rollbackOf, type Rollback } from './rollbackOf';
import { RollbackOfRelease } from './RollbackOfRelease';

const useStyles = makeStyles(theme => ({
  quiet: { color: quietColor(theme), ...theme.typography.caption },
  buttons: { display: 'flex', flexWrap: 'wrap', gap: theme.spacing(0.5) },
  button: { textTransform: 'none', whiteSpace: 'nowrap' },
}));

interface ReleaseHistoryProps {
  releases: ReleaseView[];
  /** The one that is shown above. */
  shownId?: string;
  hasMore: boolean;
  onMore: () => void;
  onOpen: (releaseId: string) => void;
  /** Opens the start dialog with a version; undefined where the viewer may not start. */
  onAgain?: (version: string) => void;
  /** Another release is to be shown: one was rolled back. */
  onDone: (releaseId: string) => Promise<void>;
  /** Shown beside the heading. */
  beside?: ReactNode;
}

/** Earlier releases, newest first; each can be opened, sent back, or released again. */
export function ReleaseHistory(props: ReleaseHistoryProps) {
  const { releases, shownId, hasMore, onMore, onDone, beside } = props;
  const texts = useTexts();
  const { text } = texts;
  const now = useNow(10_000);
  const [rollback, setRollback] = useState<Rollback>();
  const columns: Column<ReleaseView>[] = [
    { header: text('history.version'), render: release => <Version release={release} /> },
    { header: text('history.result'), render: release => <Result {...props} release={release} /> },
    { header: text('history.strategy'), render: release => strategyWord(release, texts) },
    { header: text('history.started'), render: ({ createdAt }) => <Moment at={createdAt} /> },
    { header: text('history.duration'), render: release => lengthOf(release, texts, now) },
    { header: text('history.by'), render: ({ startedBy }) => entityName(startedBy) },
    { header: text('history.reason'), render: ({ reason }) => reason ?? '–' },
    {
      header: text('history.action'),
      render: release => <RowActions {...props} release={release} onRollBack={setRollback} />,
    },
  ];
  return (
    <Section title={text('history.title')} beside={beside}>
      <DataTable
        label={text('history.title')}
        columns={columns}
        rows={releases}
        rowKey={({ id }) => id}
        isCurrent={({ id }) => id === shownId}
      />
      {hasMore && (
        <Button size="small" onClick={onMore}>
          {text('history.more')}
        </Button>
      )}
      {rollback && (
        <RollbackOfRelease {...rollback} onDone={onDone} onClose={() => setRollback(undefined)} />
      )}
    </Section>
  );
}

function Version({ release }: { release: ReleaseView }) {
  const texts = useTexts();
  const { text, list } = texts;
  const classes = useStyles();
  const from = list(release.fromVersions.map(version => versionName(version, texts)));
  return (
    <>
      {versionName(release.targetVersion, texts)}
      {from && <div className={classes.quiet}>{text('history.from', { versions: from })}</div>}
    </>
  );
}

function Result(props: ReleaseHistoryProps & { release: ReleaseView }) {
  const { release, releases, onOpen } = props;
  const classes = useStyles();
  return (
    <>
      <ReleaseStateWord release={release} />
      <div className={classes.quiet}>
        <RelatedReleases release={release} releases={releases} onOpen={onOpen} />
      </div>
    </>
  );
}

function RowActions(
  props: ReleaseHistoryProps & {
    release: ReleaseView;
    onRollBack: (rollback: Rollback) => void;
  },
) {
  const { release, releases, shownId, onOpen, onAgain, onRollBack } = props;
  const texts = useTexts();
  const { text } = texts;
  const classes = useStyles();
  const { id, targetVersion, createdAt, finishedAt } = release;
  const version = versionName(targetVersion, texts);
  const time = texts.fullTime(createdAt);
  const rollback = rollbackOf(release, releases);
  return (
    <div className={classes.buttons}>
      {id === shownId ? (
        <span className={classes.quiet}>{text('history.opened')}</span>
      ) : (
        <Button
          size="small"
          className={classes.button}
          aria-label={text('history.openLabel', { version, time })}
          onClick={() => onOpen(id)}
        >
          {text('history.open')}
        </Button>
      )}
      {rollback && (
        <Button
          size="small"
          className={classes.button}
          aria-label={
            rollback.toVersion
              ? text('history.rollbackToLabel', { version, time })
              : text('history.rollbackLabel', { version, time })
          }
          onClick={() => onRollBack(rollback)}
        >
          {text(rollback.toVersion ? 'history.rollbackTo' : 'history.rollback')}
        </Button>
      )}
      {finishedAt !== undefined && onAgain && releasedVersion(targetVersion) && (
        <Button
          size="small"
          className={classes.button}
          aria-label={text('history.againLabel', { version })}
          onClick={() => onAgain(targetVersion)}
        >
          {text('history.again')}
        </Button>
      )}
    </div>
  );
}
