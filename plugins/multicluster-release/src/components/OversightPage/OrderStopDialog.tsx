import { useState } from 'react';
import Checkbox from '@material-ui/core/Checkbox';
import FormControlLabel from '@material-ui/core/FormControlLabel';
import Typography from '@material-ui/core/Typography';
import { useApi } from '@backstage/frontend-plugin-api';
import type { StopScope } from 'backstage-plugin-multicluster-release-common';
import { describeProblem, multiclusterReleaseApiRef } from '../../api';
import { usePolled, useTexts } from '../../hooks';
import { reachWords, scopeToType, type StopKind } from '../../text';
import { ConfirmDialog, isReason, ReasonField } from '../ConfirmDialog';
import { FaultList } from '../Notices';
import { TypedScope } from '../StopBanner';
import { ScopeChoice } from './ScopeChoice';

const COUNT_MILLISECONDS = 15_000;

interface OrderStopDialogProps {
  onOrdered: () => Promise<void>;
  onClose: () => void;
}

/** Orders an emergency stop: the counts are seen first, and the scope is typed. */
export function OrderStopDialog({ onOrdered, onClose }: OrderStopDialogProps) {
  const api = useApi(multiclusterReleaseApiRef);
  const texts = useTexts();
  const { text } = texts;
  const [kind, setKind] = useState<StopKind>('all');
  const [names, setNames] = useState<string[]>([]);
  const [allowRollback, setAllowRollback] = useState(false);
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const scope = scopeOf(kind, names);
  const reach = useReach(scope);
  const expected = scope && scopeToType(scope, texts);
  const order = async () => {
    if (scope) {
      await api.orderStop({ scope, reason: reason.trim(), allowRollback });
      await onOrdered();
    }
  };
  return (
    <ConfirmDialog
      title={text('stops.orderTitle')}
      confirm={text('stops.orderConfirm')}
      incomplete={!reach.value || !isReason(reason) || typed.trim() !== expected}
      onConfirm={order}
      onClose={onClose}
    >
      <ScopeChoice
        kind={kind}
        names={names}
        onChange={(nextKind, nextNames) => {
          setKind(nextKind);
          setNames(nextNames);
        }}
      />
      <FormControlLabel
        control={
          <Checkbox
            color="primary"
            checked={allowRollback}
            onChange={() => setAllowRollback(!allowRollback)}
          />
        }
        label={text('stops.allowRollback')}
      />
      {scope && (
        <div role="status">
          {reach.loading && <Typography>{text('stops.counting')}</Typography>}
          {reach.value && (
            <Typography>
              {text('stops.reaches', { what: reachWords(reach.value, texts) })}
            </Typography>
          )}
          {!reach.value && reach.error !== undefined && (
            <FaultList problem={describeProblem(reach.error)} />
          )}
        </div>
      )}
      <ReasonField needed reason={reason} onReason={setReason} />
      {expected !== undefined && <TypedScope scope={expected} typed={typed} onTyped={setTyped} />}
    </ConfirmDialog>
  );
}

/** Undefined: nothing is chosen yet. */
function scopeOf(kind: StopKind, names: string[]): StopScope | undefined {
  if (kind === 'all') {
    return { all: true };
  }
  return names.length > 0 ? ({ [kind]: names } as StopScope) : undefined;
}

/** How far the stop would go; counted anew while the dialog is open. */
function useReach(scope: StopScope | undefined) {
  const api = useApi(multiclusterReleaseApiRef);
  return usePolled({
    subject: scope && JSON.stringify(scope),
    load: () => api.previewStop(scope ?? { all: true }),
    interval: () => COUNT_MILLISECONDS,
  });
}
