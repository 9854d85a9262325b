import { useId, type ReactNode } from 'react';
import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import { Button } from '../Button';
import { quietColor } from '../ReleaseStatus';

const useStyles = makeStyles(theme => ({
  button: { textTransform: 'none' },
  note: { color: quietColor(theme), whiteSpace: 'normal' },
}));

/** A button that stays where it is not allowed, can be reached, and says why. */
export function GuardedButton(props: {
  allowed: boolean;
  /** Why not; undefined: that is not known yet. */
  why?: string;
  label?: string;
  size?: 'small';
  onPress: () => void;
  children: ReactNode;
}) {
  const { allowed, why, label, size, onPress, children } = props;
  const classes = useStyles();
  const noteId = useId();
  const note = allowed ? undefined : why;
  return (
    <div>
      <Button
        variant="outlined"
        size={size}
        className={classes.button}
        aria-label={label}
        aria-disabled={!allowed}
        aria-describedby={note ? noteId : undefined}
        onClick={allowed ? onPress : undefined}
      >
        {children}
      </Button>
      {note && (
        <Typography id={noteId} variant="caption" component="div" className={classes.note}>
          {note}
        </Typography>
      )}
    </div>
  );
}
