import { useId, type ReactNode } from 'react';
import Link from '@material-ui/core/Link';
import MenuItem from '@material-ui/core/MenuItem';
import Paper from '@material-ui/core/Paper';
import TextField from '@material-ui/core/TextField';
import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import type { ReleaseView } from 'backstage-plugin-multicluster-release-common';
import { useNow, useTexts } from '../../hooks';
import { entityName, strategyWord, versionsWord, type Texts } from '../../text';
import { Moment } from '../Moment';
import { ReleaseId, RelatedReleases } from '../ReleaseName';
import { quietColor, ReleaseStateWord } from '../ReleaseStatus';
import { ACTIONS_ANCHOR } from './anchor';

const useStyles = makeStyles(theme => ({
  root: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: theme.spacing(1, 3),
    padding: theme.spacing(1.5, 2),
    [theme.breakpoints.up('md')]: { position: 'sticky', top: 0, zIndex: 2 },
  },
  main: { flex: '1 1 280px', minWidth: 0 },
  line: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'baseline',
    gap: theme.spacing(0, 2),
  },
  versions: { fontWeight: 700, overflowWrap: 'anywhere' },
  quiet: { color: quietColor(theme) },
  skip: {
    position: 'absolute',
    left: -9999,
    '&:focus': { position: 'static', left: 'auto' },
  },
}));

interface ReleaseHeaderProps {
  release: ReleaseView;
  /** Browser clock of the newest answer. */
  updatedAt?: number;
  live: boolean;
  /** Further active releases of the service, newest first. */
  others: ReleaseView[];
  /** All releases of the service that are known. */
  releases: ReleaseView[];
  onChoose: (releaseId: string) => void;
  /** Buttons. */
  children?: ReactNode;
}

/** Which release this is, how far it is, and how old what you see is. */
export function ReleaseHeader(props: ReleaseHeaderProps) {
  const { release, others } = props;
  const texts = useTexts();
  const classes = useStyles();
  return (
    <Paper variant="outlined" className={classes.root}>
      <Link href={`#${ACTIONS_ANCHOR}`} className={classes.skip}>
        {texts.text('header.skipToActions')}
      </Link>
      <div className={classes.main}>
        <div className={classes.line}>
          <Typography component="span" variant="h6" className={classes.versions}>
            {versionsWord(release, texts)}
          </Typography>
          <ReleaseStateWord release={release} />
          <Typography component="span" variant="body2">
            {strategyWord(release, texts)}
          </Typography>
          <Typography component="span" variant="body2">
            {progress(release, texts)}
          </Typography>
        </div>
        <Origin {...props} />
      </div>
      {others.length > 0 && <ReleasePicker {...props} />}
      {props.children}
    </Paper>
  );
}

function progress({ state, counts, stage }: ReleaseView, { text }: Texts): string {
  const { done, total, failed } = counts;
  // What it never reached counts as done, but not as an advance of this version.
  const parts = state === 'RolledBack' ? [] : [text('header.progress', { done, count: total })];
  if (stage) {
    parts.push(text('header.stage', { number: stage.index + 1, total: stage.total }));
  }
  if (failed > 0) {
    parts.push(text('header.failed', { count: failed }));
  }
  return parts.join(' · ');
}

function Origin({ release, updatedAt, live, releases, onChoose }: ReleaseHeaderProps) {
  const { text } = useTexts();
  const classes = useStyles();
  const { id, startedBy, onBehalfOf, createdAt, link } = release;
  return (
    <Typography component="div" variant="body2" className={`${classes.line} ${classes.quiet}`}>
      <span>
        {text('header.startedBy', { who: entityName(startedBy) })}{' '}
        {onBehalfOf && text('header.onBehalfOf', { who: entityName(onBehalfOf) })}{' '}
        <Moment at={createdAt} />
      </span>
      <RelatedReleases release={release} releases={releases} onOpen={onChoose} />
      {link && <Link href={link}>{text('header.link')}</Link>}
      <ReleaseId id={id} />
      <Freshness updatedAt={updatedAt} live={live} />
    </Typography>
  );
}

function Freshness({ updatedAt, live }: { updatedAt?: number; live: boolean }) {
  const { text, age } = useTexts();
  useNow();
  if (updatedAt === undefined) {
    return null;
  }
  const updated = text('header.updated', { age: age(Date.now() - updatedAt) });
  return <span>{live ? `${updated} · ${text('header.live')}` : updated}</span>;
}

function ReleasePicker({ release, others, onChoose }: ReleaseHeaderProps) {
  const { text } = useTexts();
  const fieldId = useId();
  return (
    <TextField
      id={fieldId}
      select
      size="small"
      variant="outlined"
      label={text('header.release')}
      value={release.id}
      onChange={event => onChoose(event.target.value)}
    >
      {[release, ...others].map(each => (
        <MenuItem key={each.id} value={each.id}>
          {each.targetVersion} – {text(`releaseState.${each.state}`)}
        </MenuItem>
      ))}
    </TextField>
  );
}
