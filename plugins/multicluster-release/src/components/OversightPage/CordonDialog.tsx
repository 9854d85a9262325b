import { useState } from 'react';
import Typography from '@material-ui/core/Typography';
import { useApi } from '@backstage/frontend-plugin-api';
import type { ClusterView } from 'backstage-plugin-multicluster-release-common';
import { multiclusterReleaseApiRef } from '../../api';
import { useTexts } from '../../hooks';
import { ConfirmDialog, isReason, ReasonField } from '../ConfirmDialog';

interface CordonDialogProps {
  cluster: ClusterView;
  onDone: () => Promise<void>;
  onClose: () => void;
}

/** Takes a cluster out, or lets it take releases again; both say why. */
export function CordonDialog({ cluster, onDone, onClose }: CordonDialogProps) {
  const api = useApi(multiclusterReleaseApiRef);
  const { text } = useTexts();
  const [reason, setReason] = useState('');
  // What was asked for when the dialog opened, whatever others do meanwhile.
  const [cordoned] = useState(!cluster.cordoned);
  const send = async () => {
    await api.cordonCluster(cluster.name, { cordoned, reason: reason.trim() });
    await onDone();
  };
  return (
    <ConfirmDialog
      title={text(cordoned ? 'clusters.cordonLabel' : 'clusters.uncordonLabel', {
        cluster: cluster.name,
      })}
      confirm={text(cordoned ? 'clusters.cordonConfirm' : 'clusters.uncordonConfirm')}
      incomplete={!isReason(reason)}
      onConfirm={send}
      onClose={onClose}
    >
      <Typography>
        {text(cordoned ? 'clusters.cordonEffect' : 'clusters.uncordonEffect')}
      </Typography>
      <ReasonField needed reason={reason} onReason={setReason} />
    </ConfirmDialog>
  );
}
