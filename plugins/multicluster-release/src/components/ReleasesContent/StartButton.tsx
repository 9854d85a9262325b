import { useId } from 'react';
import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import { releaseCreatePermission } from 'backstage-plugin-multicluster-release-common';
import { Button } from '../Button';
import { useTexts } from '../../hooks';
import { quietColor } from '../ReleaseStatus';

const useStyles = makeStyles(theme => ({
  button: { textTransform: 'none' },
  note: { color: quietColor(theme) },
}));

interface StartButtonProps {
  /** Undefined until the server has said. */
  permitted: boolean | undefined;
  /** A release is under way; by its policy another one waits for it or takes its place. */
  busy: boolean;
  hasDocuments: boolean;
  onStart: () => void;
}

/** Opens the start dialog; where the viewer may not start, it stays and says why. */
export function StartButton({ permitted, busy, hasDocuments, onStart }: StartButtonProps) {
  const { text } = useTexts();
  const classes = useStyles();
  const noteId = useId();
  const can = permitted === true && hasDocuments;
  const note = noteOf();
  return (
    <div>
      <Button
        variant={busy || !can ? 'outlined' : 'contained'}
        color={can ? 'primary' : 'default'}
        className={classes.button}
        aria-disabled={!can}
        aria-describedby={note ? noteId : undefined}
        onClick={can ? onStart : undefined}
      >
        {text('header.start')}
      </Button>
      {note && (
        <Typography id={noteId} variant="caption" component="div" className={classes.note}>
          {note}
        </Typography>
      )}
    </div>
  );

  function noteOf(): string | undefined {
    if (permitted === false) {
      return text('header.startDenied', { permission: releaseCreatePermission.name });
    }
    if (!hasDocuments) {
      return text('header.startNoDocuments');
    }
    return busy ? text('header.startBusy') : undefined;
  }
}
