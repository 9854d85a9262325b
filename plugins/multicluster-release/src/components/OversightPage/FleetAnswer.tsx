import type { ReactNode } from 'react';
import { describeProblem } from '../../api';
import { useTexts, type Polled } from '../../hooks';
import { LoadingSkeleton, Notice, ProblemPanel } from '../Notices';

/** An answer about the fleet, or why there is none. */
export function FleetAnswer<T>(props: { answer: Polled<T>; children: (value: T) => ReactNode }) {
  const { answer, children } = props;
  const { text } = useTexts();
  if (answer.value !== undefined) {
    return <>{children(answer.value)}</>;
  }
  if (answer.error === undefined) {
    return <LoadingSkeleton heights={[240]} />;
  }
  return describeProblem(answer.error).status === 403 ? (
    <Notice status="stopped">{text('state.cannotViewFleet')}</Notice>
  ) : (
    <ProblemPanel error={answer.error} onRetry={answer.refresh} />
  );
}
