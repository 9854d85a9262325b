import { makeStyles, useTheme, type Theme } from '@material-ui/core/styles';
import type { StatusKey } from 'backstage-plugin-multicluster-release-common';
import { STATUS_LOOKS } from './statusLooks';

const useStyles = makeStyles(theme => ({
  root: {
    display: 'inline-flex',
    alignItems: 'center',
    gap: theme.spacing(0.5),
    fontWeight: 500,
    whiteSpace: 'nowrap',
  },
  unknown: { border: '1px dashed currentColor', borderRadius: 4, padding: '0 4px' },
  icon: { fontSize: '1.25em', flex: 'none' },
  turning: {
    '@media (prefers-reduced-motion: no-preference)': { animation: '$turn 3s linear infinite' },
  },
  '@keyframes turn': { to: { transform: 'rotate(360deg)' } },
}));

export function statusColor(status: StatusKey, theme: Theme): string {
  return STATUS_LOOKS[status][theme.palette.type];
}

/**
 * A status as colour, icon and word. The word is real text: core-components'
 * own status elements hide theirs from screen readers.
 */
export function ReleaseStatus(props: { status: StatusKey; word: string }) {
  const { status, word } = props;
  const classes = useStyles();
  const theme = useTheme();
  const Icon = STATUS_LOOKS[status].icon;
  return (
    <span
      className={`${classes.root} ${status === 'unknown' ? classes.unknown : ''}`}
      style={{ color: statusColor(status, theme) }}
    >
      <Icon
        aria-hidden="true"
        className={`${classes.icon} ${status === 'running' ? classes.turning : ''}`}
      />
      <span>{word}</span>
    </span>
  );
}
