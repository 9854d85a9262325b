import { useState } from 'react';
import Typography from '@material-ui/core/Typography';
import { useApi } from '@backstage/frontend-plugin-api';
import type { StopView } from 'backstage-plugin-multicluster-release-common';
import { multiclusterReleaseApiRef } from '../../api';
import { useTexts } from '../../hooks';
import { reachWords, scopeToType, scopeWords } from '../../text';
import { ConfirmDialog, isReason, ReasonField } from '../ConfirmDialog';
import { TypedScope } from './TypedScope';

interface LiftStopDialogProps {
  stop: StopView;
  onLifted: () => Promise<void>;
  onClose: () => void;
}

/** Ends an emergency stop: with a reason, and only where its scope is typed. */
export function LiftStopDialog({ stop, onLifted, onClose }: LiftStopDialogProps) {
  const api = useApi(multiclusterReleaseApiRef);
  const texts = useTexts();
  const { text } = texts;
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const expected = scopeToType(stop.scope, texts);
  const lift = async () => {
    await api.liftStop(stop.id, reason.trim());
    await onLifted();
  };
  return (
    <ConfirmDialog
      title={text('stops.liftTitle', { scope: scopeWords(stop.scope, texts) })}
      confirm={text('stops.liftConfirm')}
      incomplete={!isReason(reason) || typed.trim() !== expected}
      onConfirm={lift}
      onClose={onClose}
    >
      {stop.reach && (
        <Typography gutterBottom>
          {text('stops.reaches', { what: reachWords(stop.reach, texts) })}
        </Typography>
      )}
      <Typography gutterBottom>{text('stops.liftEffect')}</Typography>
      <ReasonField needed reason={reason} onReason={setReason} />
      <TypedScope scope={expected} typed={typed} onTyped={setTyped} />
    </ConfirmDialog>
  );
}
