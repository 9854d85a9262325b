import { useId } from 'react';
import Button from '@material-ui/core/Button';
import Typography from '@material-ui/core/Typography';
import { usePermission } from '@backstage/plugin-permission-react';
import { releaseCreatePermission } from 'backstage-plugin-multicluster-release-common';
import { useTexts } from '../../hooks';

interface StartButtonProps {
  service: string;
  /** A release runs; another one would queue. */
  busy: boolean;
  hasDocuments: boolean;
  onStart: () => void;
}

/** Opens the start dialog; where the viewer may not start, it stays and says why. */
export function StartButton({ service, busy, hasDocuments, onStart }: StartButtonProps) {
  const { text } = useTexts();
  const noteId = useId();
  const { allowed, loading } = usePermission({
    permission: releaseCreatePermission,
    resourceRef: service,
  });
  const can = allowed && hasDocuments;
  const note = noteOf();
  return (
    <div>
      <Button
        variant={busy || !can ? 'outlined' : 'contained'}
        color={can ? 'primary' : 'default'}
        aria-disabled={!can}
        aria-describedby={note ? noteId : undefined}
        onClick={can ? onStart : undefined}
      >
        {text('header.start')}
      </Button>
      {note && (
        <Typography id={noteId} variant="caption" component="div" color="textSecondary">
          {note}
        </Typography>
      )}
    </div>
  );

  function noteOf(): string | undefined {
    if (!allowed) {
      const { name: permission } = releaseCreatePermission;
      return loading ? undefined : text('header.startDenied', { permission });
    }
    if (!hasDocuments) {
      return text('header.startNoDocuments');
    }
    return busy ? text('header.startBusy') : undefined;
  }
}
