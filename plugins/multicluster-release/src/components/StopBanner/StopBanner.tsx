import { useState } from 'react';
import { stopWritePermission, type StopView } from 'backstage-plugin-multicluster-release-common';
import { useFleetPermission, useNow, useStops, useTexts } from '../../hooks';
import { entityName, scopeWords } from '../../text';
import { GuardedButton } from '../GuardedButton';
import { Notice } from '../Notices';
import { LiftStopDialog } from './LiftStopDialog';

/** More stops than this are counted, not told. */
const MOST_STOPS = 3;

/**
 * Emergency stops in force, at the top of every page of ours. Whoever may not see
 * the fleet sees none here: what a stop does to a release, that release says itself.
 */
export function StopBanner() {
  const { text } = useTexts();
  const stops = useStops();
  const mayLift = useFleetPermission(stopWritePermission);
  const [lifting, setLifting] = useState<StopView>();
  const active = stops.value ?? [];
  const more = active.length - MOST_STOPS;
  return (
    <>
      {active.slice(0, MOST_STOPS).map(stop => (
        <StopLine key={stop.id} stop={stop} onLift={mayLift ? () => setLifting(stop) : undefined} />
      ))}
      {more > 0 && <Notice status="failed">{text('stops.more', { count: more })}</Notice>}
      {lifting && (
        <LiftStopDialog
          stop={lifting}
          onLifted={stops.refresh}
          onClose={() => setLifting(undefined)}
        />
      )}
    </>
  );
}

function StopLine({ stop, onLift }: { stop: StopView; onLift?: () => void }) {
  const texts = useTexts();
  const now = useNow(60_000);
  const { scope, by, since, reason, allowRollback } = stop;
  return (
    <Notice
      status="failed"
      role="alert"
      action={
        onLift && (
          <GuardedButton allowed onPress={onLift}>
            {texts.text('stops.lift')}
          </GuardedButton>
        )
      }
    >
      <strong>
        {texts.text('stops.banner', {
          scope: scopeWords(scope, texts),
          who: entityName(by),
          time: texts.time(since, now),
          reason,
        })}
      </strong>
      <div>{texts.text(allowRollback ? 'stops.rollbacksMay' : 'stops.rollbacksToo')}</div>
    </Notice>
  );
}
