import { useId } from 'react';
import TextField from '@material-ui/core/TextField';
import { useTexts } from '../../hooks';

/** Shorter ones say nothing to who reads them later; the server holds the same. */
const LEAST_CHARACTERS = 10;

export function isReason(reason: string): boolean {
  return reason.trim().length >= LEAST_CHARACTERS;
}

/** Why; where it is `needed`, a few words at least. */
export function ReasonField(props: {
  reason: string;
  needed: boolean;
  onReason: (reason: string) => void;
}) {
  const { text } = useTexts();
  const id = useId();
  const { reason, needed, onReason } = props;
  return (
    <TextField
      id={id}
      fullWidth
      margin="normal"
      variant="outlined"
      size="small"
      required={needed}
      label={needed ? text('fleet.reason', { count: LEAST_CHARACTERS }) : text('dialog.reason')}
      value={reason}
      onChange={event => onReason(event.target.value)}
    />
  );
}
