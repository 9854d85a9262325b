import { Button } from '../Button';
import { describeProblem } from '../../api';
import { useTexts } from '../../hooks';
import { Notice } from './Notice';

/** A failed call as a whole: what failed, how to name it to an administrator, and another try. */
export function ProblemPanel(props: { error: unknown; onRetry: () => void }) {
  const { text } = useTexts();
  const { message, requestId } = describeProblem(props.error);
  return (
    <Notice
      status="failed"
      role="alert"
      action={
        <Button variant="outlined" onClick={props.onRetry}>
          {text('state.retry')}
        </Button>
      }
    >
      <strong>{text('state.error')}</strong>
      <div>{message}</div>
      {requestId && <div>{text('state.requestId', { id: requestId })}</div>}
    </Notice>
  );
}
