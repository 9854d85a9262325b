import type { StopRecord } from '../../store';
import type { RunEvent } from '../../decide/types';
import { describeScope } from './describeScope';

/** Tells of an emergency stop, in releases and in the audit. */
export function stopEvent(
  code: 'StopOrdered' | 'StopLifted',
  { id, scope, allowRollback }: StopRecord,
  { by, reason }: { by: string; reason: string },
): RunEvent {
  const { kind, names, text } = describeScope(scope);
  const what = allowRollback ? 'only rollbacks write' : 'nothing is written, rollbacks neither';
  return {
    kind: 'release',
    code,
    params: { stop: id, scope: kind, names, allowRollback: String(allowRollback) },
    message:
      code === 'StopOrdered'
        ? `Emergency stop of ${text}: ${what}`
        : `The emergency stop of ${text} was lifted`,
    actor: by,
    reason,
  };
}
