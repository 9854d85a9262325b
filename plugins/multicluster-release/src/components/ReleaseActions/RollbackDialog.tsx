import { useState } from 'react';
import FormControl from '@material-ui/core/FormControl';
import FormControlLabel from '@material-ui/core/FormControlLabel';
import FormLabel from '@material-ui/core/FormLabel';
import Radio from '@material-ui/core/Radio';
import RadioGroup from '@material-ui/core/RadioGroup';
import Typography from '@material-ui/core/Typography';
import {
  isFinalRelease,
  targetKey,
  type ActionName,
  type ActionRequest,
  type ReleaseView,
  type TargetKey,
  type TargetView,
} from 'backstage-plugin-multicluster-release-common';
import { describeProblem } from '../../api';
import { useTexts, type ReleaseDetails } from '../../hooks';
import { entityName, type Texts } from '../../text';
import { ReasonField } from '../ConfirmDialog';
import { ClusterChoice, refsOf } from './ClusterChoice';
import { ReviewedDialog } from './ReviewedDialog';
import { useReview } from './useReview';
import { WaysBack } from './WaysBack';

/** Their rollback holds no version: what they brought was there before. */
const WAYS_BACK: readonly string[] = ['Rollback', 'Removal'];

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
  const changed = targets.filter(({ canGoBack }) => canGoBack);
  const canChoose = changed.length > 1;
  const refs = refsOf(changed, chosen);
  // All of them by name would be some for the server, and would leave the release going on.
  const isWhole = scope === 'all' || refs.length === changed.length;
  const goingBack = isWhole ? changed : changed.filter(target => chosen.has(targetKey(target)));
  const send = async () => {
    const request: ActionRequest = {
      reason: reason.trim() || undefined,
      targets: isWhole ? undefined : refs,
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
      incomplete={scope === 'some' && refs.length === 0}
      onConfirm={send}
      onClose={onClose}
    >
      {canChoose && (
        <ScopeChoice
          changed={changed}
          scope={scope}
          onScope={setScope}
          chosen={chosen}
          onChosen={setChosen}
        />
      )}
      {changed.length === 0 && <Typography>{text('dialog.rollbackAll', { count: 0 })}</Typography>}
      {goingBack.length > 0 && <WaysBack targets={goingBack} toVersion={toVersion} />}
      <Typography variant="body2" gutterBottom>
        {changed.length > 0
          ? effectOfRollback({ release, isWhole, isChosen: scope === 'some' }, texts)
          : text('dialog.rollbackEnds')}
      </Typography>
      <ReasonField needed={false} reason={reason} onReason={setReason} />
    </ReviewedDialog>
  );
}

/** What follows, for all that the release changed and for some of it. */
function effectOfRollback(
  { release, isWhole, isChosen }: { release: ReleaseView; isWhole: boolean; isChosen: boolean },
  { text }: Texts,
): string {
  const { targetVersion: version, state, strategy } = release;
  const final = isFinalRelease(state);
  const holds = isWhole && !WAYS_BACK.includes(strategy);
  return [
    ...(isWhole && isChosen ? [text('dialog.rollbackIsWhole')] : []),
    ...(isWhole ? [text('dialog.rollbackEffect')] : []),
    ...(holds ? [text('dialog.rollbackHolds', { version })] : []),
    ...(isWhole ? [] : [text(final ? 'dialog.rollbackSomeEnded' : 'dialog.rollbackSomeEffect')]),
    ...(final ? [text('dialog.rollbackNewRelease')] : []),
  ].join(' ');
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
