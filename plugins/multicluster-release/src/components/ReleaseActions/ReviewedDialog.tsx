import { useId, useState, type ReactNode } from 'react';
import Button from '@material-ui/core/Button';
import Dialog from '@material-ui/core/Dialog';
import DialogActions from '@material-ui/core/DialogActions';
import DialogContent from '@material-ui/core/DialogContent';
import DialogTitle from '@material-ui/core/DialogTitle';
import useMediaQuery from '@material-ui/core/useMediaQuery';
import { describeProblem } from '../../api';
import { useTexts } from '../../hooks';
import { NARROW } from '../DataTable';
import { FaultList, Notice } from '../Notices';
import type { Review } from './useReview';

interface ReviewedDialogProps {
  title: string;
  confirm: string;
  review: Review;
  /** Something is still to be chosen. */
  incomplete?: boolean;
  /** Sends; a rejection is shown and leaves the dialog open. */
  onConfirm: () => Promise<void>;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog whose main button works only on what the person has seen. */
export function ReviewedDialog(props: ReviewedDialogProps) {
  const { review, incomplete, onConfirm, onClose } = props;
  const { text } = useTexts();
  const titleId = useId();
  const fullScreen = useMediaQuery(NARROW);
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<unknown>();
  const confirm = async () => {
    setSending(true);
    setError(undefined);
    try {
      await onConfirm();
      onClose();
    } catch (cause) {
      setError(cause);
      setSending(false);
    }
  };
  return (
    <Dialog open fullScreen={fullScreen} onClose={onClose} aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{props.title}</DialogTitle>
      <DialogContent dividers>
        {review.moved && (
          <Notice
            status="waiting"
            role="alert"
            action={
              <Button variant="outlined" onClick={review.again}>
                {text('dialog.reviewAgain')}
              </Button>
            }
          >
            {text('dialog.moved')}
          </Notice>
        )}
        {error !== undefined && <FaultList problem={describeProblem(error)} />}
        {props.children}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{text('dialog.cancel')}</Button>
        <Button
          color="primary"
          variant="contained"
          disabled={review.moved || sending || incomplete}
          onClick={confirm}
        >
          {props.confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
