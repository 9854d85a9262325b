import { useId } from 'react';
import TextField from '@material-ui/core/TextField';
import { useTexts } from '../../hooks';

/** Where a slip would stop or start half a company, the scope is typed once more. */
export function TypedScope(props: {
  scope: string;
  typed: string;
  onTyped: (typed: string) => void;
}) {
  const { text } = useTexts();
  const id = useId();
  return (
    <TextField
      id={id}
      fullWidth
      required
      margin="normal"
      variant="outlined"
      size="small"
      autoComplete="off"
      label={text('stops.type', { scope: props.scope })}
      value={props.typed}
      onChange={event => props.onTyped(event.target.value)}
    />
  );
}
