import type { ReactNode } from 'react';
import { Button } from '../Button';
import { useTexts } from '../../hooks';
import { ConfirmDialog } from '../ConfirmDialog';
import { Notice } from '../Notices';
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
export function ReviewedDialog({ review, incomplete, children, ...others }: ReviewedDialogProps) {
  const { text } = useTexts();
  return (
    <ConfirmDialog {...others} incomplete={review.moved || incomplete}>
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
      {children}
    </ConfirmDialog>
  );
}
