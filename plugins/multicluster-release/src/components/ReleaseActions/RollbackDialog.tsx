import { useState } from 'react';
import FormControl from '@material-ui/core/FormControl';
import FormControlLabel from '@material-ui/core/FormControlLabel';
import FormLabel from '@material-ui/core/FormLabel';
import Radio from '@material-ui/core/Radio';
import RadioGroup from '@material-ui/core/RadioGroup';
import Typography from '@material-ui/core/Typography';
import {
  isFinalRelease,
  type ActionName,
  type ActionRequest,
  type TargetKey,
  type TargetState,
  type TargetView,
} from 'backstage-plugin-multicluster-release-common';
import { describeProblem } from '../../api';
import { useTexts, type ReleaseDetails } from '../../hooks';
import { entityName, type Texts } from '../../text';
import { ReasonField } from '../ConfirmDialog';
import { ClusterChoice, refsOf } from './ClusterChoice';
import { ReviewedDialog } from './ReviewedDialog';
import { useReview } from './useReview';

/** The release has not written there, or it is put back already. */
const UNTOUCHED: ReadonlySet<TargetState> = new Set([
  'Pending',
  'Unchanged',
  'Skipped',
  'RolledBack',
]);

type Scope = 'all' | 'some';

interface RollbackDialogProps {
  details: ReleaseDetails;
  /** Undefined: to what each cluster ran before. Only for a release that has ended. */
  toVersion?: string;
  onSend: (action: ActionName, request: ActionRequest, idempotencyKey: string) => Promise<void>;
  onClose: () => void;
}

/** Sends clusters back to what they ran before. Never asks for anything to be typed. */
export function RollbackDialog({ details, toVersion, onSend, onClose }: RollbackDialogProps) {
  const texts = useTexts();
  const { text } = texts;
  const { release, targets } = details;
  const review = useReview('rollback', release);
  const [scope, setScope] = useState<Scope>('all');
  const [chosen, setChosen] = useState<ReadonlySet<TargetKey>>(new Set());
  const [reason, setReason] = useState('');
  const [onHold, setOnHold] = useState(false);
  const final = isFinalRelease(release.state);
  const changed = targets.filter(({ state }) => !UNTOUCHED.has(state));
  const canChoose = changed.length > 1;
  const send = async () => {
    const request: ActionRequest = {
      reason: reason.trim() || undefined,
      targets: scope === 'some' ? refsOf(changed, chosen) : undefined,
      toVersion,
      releaseHold: onHold || undefined,
    };
    try {
      await onSend('rollback', request, review.idempotencyKey);
    } catch (error) {
      if (describeProblem(error).code === 'OnHold') {
        // The next click asks for something else, so it needs a key of its own.
        setOnHold(true);
        review.again();
      }
      throw error;
    }
  };
  return (
    <ReviewedDialog
      title={text('dialog.rollbackTitle', { service: entityName(release.service) })}
      confirm={text(onHold ? 'dialog.confirmRollbackHeld' : 'dialog.confirmRollback')}
      review={review}
      incomplete={scope === 'some' && refsOf(changed, chosen).length === 0}
      onConfirm={send}
      onClose={onClose}
    >
      <Typography gutterBottom>
        {text('dialog.rollbackVersion')} <strong>{toVersion ?? wayBack(changed, texts)}</strong>
      </Typography>
      {canChoose && (
        <ScopeChoice
          changed={changed}
          scope={scope}
          onScope={setScope}
          chosen={chosen}
          onChosen={setChosen}
        />
      )}
      {!canChoose && (
        <Typography>{text('dialog.rollbackAll', { count: changed.length })}</Typography>
      )}
      <Typography variant="body2" gutterBottom>
        {scope === 'some' && !final
          ? text('dialog.rollbackSomeEffect')
          : text('dialog.rollbackEffect', { version: release.targetVersion })}
        {final && ` ${text('dialog.rollbackNewRelease')}`}
      </Typography>
      <ReasonField needed={false} reason={reason} onReason={setReason} />
    </ReviewedDialog>
  );
}

/** What the clusters go back to, by the record of each. */
function wayBack(changed: TargetView[], { text, list }: Texts): string {
  const versions = [...new Set(changed.flatMap(({ from }) => from?.version ?? []))];
  if (versions.length === 0) {
    return text('dialog.rollbackNothing');
  }
  return versions.length === 1
    ? versions[0]
    : text('dialog.rollbackMixed', { versions: list(versions) });
}

function ScopeChoice(props: {
  changed: TargetView[];
  scope: Scope;
  onScope: (scope: Scope) => void;
  chosen: ReadonlySet<TargetKey>;
  onChosen: (chosen: ReadonlySet<TargetKey>) => void;
}) {
  const { changed, scope, onScope } = props;
  const { text } = useTexts();
  return (
    <FormControl component="fieldset" margin="normal">
      <FormLabel component="legend">{text('dialog.rollbackScope')}</FormLabel>
      <RadioGroup
        value={scope}
        onChange={event => onScope(event.target.value === 'some' ? 'some' : 'all')}
      >
        <FormControlLabel
          value="all"
          control={<Radio color="primary" />}
          label={text('dialog.rollbackAll', { count: changed.length })}
        />
        <FormControlLabel
          value="some"
          control={<Radio color="primary" />}
          label={text('dialog.rollbackSome')}
        />
      </RadioGroup>
      {scope === 'some' && <ClusterChoice {...props} targets={changed} />}
    </FormControl>
  );
}
