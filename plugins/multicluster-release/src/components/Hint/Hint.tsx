import { useId, type ReactNode } from 'react';
import { makeStyles } from '@material-ui/core/styles';

const useStyles = makeStyles(theme => ({
  root: {
    position: 'relative',
    display: 'inline-block',
    '&:hover > [role=tooltip], &:focus > [role=tooltip]': { display: 'block' },
  },
  bubble: {
    display: 'none',
    position: 'absolute',
    bottom: '100%',
    left: 0,
    zIndex: theme.zIndex.tooltip,
    width: 'max-content',
    maxWidth: 'min(20em, 70vw)',
    padding: theme.spacing(0.5, 1),
    borderRadius: theme.shape.borderRadius,
    backgroundColor: theme.palette.text.primary,
    color: theme.palette.background.paper,
    overflowWrap: 'anywhere',
    whiteSpace: 'normal',
    ...theme.typography.caption,
  },
}));

/** Words that stand behind others: shown on hover and on focus, and read with them. */
export function Hint({ words, children }: { words: string; children: ReactNode }) {
  const classes = useStyles();
  const id = useId();
  return (
    // Focusable, because the hint holds what is not said elsewhere.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <span className={classes.root} tabIndex={0} aria-describedby={id}>
      {children}
      <span role="tooltip" id={id} className={classes.bubble}>
        {words}
      </span>
    </span>
  );
}
