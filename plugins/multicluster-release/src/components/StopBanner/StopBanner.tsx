import { useState } from 'react';
import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import { stopWritePermission, type StopView } from 'backstage-plugin-multicluster-release-common';
import { describeProblem } from '../../api';
import { useFleetPermission, useNow, useStops, useTexts } from '../../hooks';
import { entityName, scopeWords } from '../../text';
import { GuardedButton } from '../GuardedButton';
import { Notice } from '../Notices';
import { quietColor } from '../ReleaseStatus';
import { LiftStopDialog } from './LiftStopDialog';

/** More stops than this are counted, not told. */
const MOST_STOPS = 3;

const useStyles = makeStyles(theme => ({
  quiet: { color: quietColor(theme), margin: theme.spacing(0, 0, 1) },
}));

/**
 * Emergency stops in force, at the top of every page of ours. Where they cannot be
 * read it says so, quietly: no banner must not look like no stop.
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
      {stops.error !== undefined && <Unreadable error={stops.error} />}
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

function Unreadable({ error }: { error: unknown }) {
  const { text } = useTexts();
  const classes = useStyles();
  const { status, message } = describeProblem(error);
  return (
    <Typography variant="caption" component="p" className={classes.quiet}>
      {status === 403 ? text('stops.hidden') : text('stops.unreadable', { message })}
    </Typography>
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
