import { useId, useRef, useState, type ReactNode } from 'react';
import Dialog from '@material-ui/core/Dialog';
import DialogActions from '@material-ui/core/DialogActions';
import DialogContent from '@material-ui/core/DialogContent';
import DialogTitle from '@material-ui/core/DialogTitle';
import { Button } from '../Button';
import { describeProblem } from '../../api';
import { useNarrow, useTexts } from '../../hooks';
import { FaultList } from '../Notices';

interface ConfirmDialogProps {
  title: string;
  confirm: string;
  /** Something is still to be chosen, written or looked at. */
  incomplete?: boolean;
  /** Sends; a rejection is shown and leaves the dialog open. */
  onConfirm: () => Promise<void>;
  onClose: () => void;
  children: ReactNode;
}

/** Sends once, however often its main button is pressed, and stays open where that was refused. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { incomplete, onConfirm, onClose } = props;
  const { text } = useTexts();
  const titleId = useId();
  const fullScreen = useNarrow();
  const sent = useRef(false);
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<unknown>();
  const confirm = async () => {
    if (sent.current) {
      return;
    }
    sent.current = true;
    setSending(true);
    setError(undefined);
    try {
      await onConfirm();
      onClose();
    } catch (cause) {
      sent.current = false;
      setError(cause);
      setSending(false);
    }
  };
  return (
    <Dialog open fullScreen={fullScreen} onClose={onClose} aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{props.title}</DialogTitle>
      <DialogContent dividers>
        {error !== undefined && <FaultList problem={describeProblem(error)} />}
        {props.children}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{text('dialog.cancel')}</Button>
        <Button
          color="primary"
          variant="contained"
          disabled={sending || incomplete}
          onClick={confirm}
        >
          {props.confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
