import { useState } from 'react';
import Checkbox from '@material-ui/core/Checkbox';
import FormControlLabel from '@material-ui/core/FormControlLabel';
import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import { useApi } from '@backstage/frontend-plugin-api';
import type { RemovalView, TargetRef } from 'backstage-plugin-multicluster-release-common';
import { multiclusterReleaseApiRef, newIdempotencyKey } from '../../api';
import { usePolled, useTexts } from '../../hooks';
import { entityName, plainWords } from '../../text';
import { ConfirmDialog, isReason, ReasonField } from '../ConfirmDialog';
import { LoadingSkeleton, Notice, ProblemPanel } from '../Notices';

const INTERVAL_MILLISECONDS = 15_000;

const useStyles = makeStyles(theme => ({
  list: { margin: 0, paddingLeft: theme.spacing(3), overflowWrap: 'anywhere' },
}));

interface RemoveDialogProps {
  service: string;
  target: TargetRef;
  /** The release that removes it. */
  onRemoved: (releaseId: string) => Promise<void>;
  onClose: () => void;
}

/** Takes a service off one cluster: what goes and what stays is seen first. */
export function RemoveDialog({ service, target, onRemoved, onClose }: RemoveDialogProps) {
  const api = useApi(multiclusterReleaseApiRef);
  const { text } = useTexts();
  const [reason, setReason] = useState('');
  const [last, setLast] = useState(false);
  const [idempotencyKey] = useState(newIdempotencyKey);
  const preview = usePolled({
    subject: `${service}:${target.cluster}/${target.namespace}`,
    load: () => api.previewRemoval(service, target),
    interval: () => INTERVAL_MILLISECONDS,
  });
  const isLast = preview.value?.findings.some(({ code }) => code === 'NoEligibleCluster') ?? false;
  const remove = async () => {
    const options = { reason: reason.trim(), last: isLast && last, idempotencyKey };
    const { id } = await api.removeFromCluster(service, target, options);
    await onRemoved(id);
  };
  return (
    <ConfirmDialog
      title={text('remove.title', { service: entityName(service), cluster: target.cluster })}
      confirm={text('remove.confirm')}
      incomplete={!preview.value || (isLast && !last) || !isReason(reason)}
      onConfirm={remove}
      onClose={onClose}
    >
      {preview.loading && <LoadingSkeleton heights={[120]} />}
      {!preview.value && preview.error !== undefined && (
        <ProblemPanel error={preview.error} onRetry={preview.refresh} />
      )}
      {preview.value && <Removal removal={preview.value} />}
      {isLast && (
        <FormControlLabel
          control={<Checkbox color="primary" checked={last} onChange={() => setLast(!last)} />}
          label={text('remove.last')}
        />
      )}
      <ReasonField needed reason={reason} onReason={setReason} />
    </ConfirmDialog>
  );
}

function Removal({ removal: { changes, kept, findings } }: { removal: RemovalView }) {
  const { text } = useTexts();
  const classes = useStyles();
  return (
    <>
      <Typography gutterBottom>{text('remove.effect')}</Typography>
      {findings.map(({ code, message }) => (
        <Notice key={code} status="waiting">
          <span lang="en">{plainWords(message)}</span>
        </Notice>
      ))}
      <Typography>{text('remove.goes', { count: changes.length })}</Typography>
      <ul className={classes.list}>
        {changes.map(object => (
          <li key={nameOf(object)}>{nameOf(object)}</li>
        ))}
      </ul>
      {kept.length > 0 && (
        <>
          <Typography>{text('remove.stays', { count: kept.length })}</Typography>
          <ul className={classes.list}>
            {kept.map(object => (
              <li key={nameOf(object)}>
                {nameOf(object)} – <span lang="en">{object.why}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function nameOf({
  kind,
  namespace,
  name,
}: RemovalView['kept'][number] | RemovalView['changes'][number]) {
  return `${kind} ${namespace ? `${namespace}/` : ''}${name}`;
}
