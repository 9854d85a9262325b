import { useState, type ReactNode } from 'react';
import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import {
  targetKey,
  type ActionName,
  type ActionRequest,
  type TargetKey,
  type TargetView,
} from 'backstage-plugin-multicluster-release-common';
import { describeProblem } from '../../api';
import { useNow, useTexts, type MetricGate, type ReleaseDetails } from '../../hooks';
import {
  measurementWords,
  shortDigest,
  stageName,
  versionsWord,
  type TextKey,
  type Texts,
} from '../../text';
import { isReason, ReasonField } from '../ConfirmDialog';
import { quietColor } from '../ReleaseStatus';
import { ApprovalFact } from './ApprovalFact';
import { ClusterChoice, refsOf } from './ClusterChoice';
import { blockedOf, effectOf } from './effects';
import { ReviewedDialog } from './ReviewedDialog';
import { useReview, type Review } from './useReview';

export type FactsAction = Exclude<ActionName, 'pause' | 'rollback'>;

const CONFIRM: Record<FactsAction, TextKey> = {
  promote: 'dialog.confirmPromote',
  resume: 'dialog.confirmResume',
  abort: 'dialog.confirmAbort',
  retry: 'dialog.confirmRetry',
  'skip-cluster': 'dialog.confirmSkip',
  'skip-wait': 'dialog.confirmSkip',
  'skip-gate': 'dialog.confirmSkip',
  approve: 'dialog.confirmApprove',
  reject: 'dialog.confirmReject',
  accept: 'dialog.confirmAccept',
};

/** The others go without a reason. */
const NEEDS_REASON: readonly FactsAction[] = ['reject', 'skip-gate'];

/** States in which a cluster can still be left out. */
const SKIPPABLE: readonly TargetView['state'][] = [
  'Pending',
  'Blocked',
  'Offline',
  'Applying',
  'Verifying',
  'Soaking',
  'Failed',
];

const useStyles = makeStyles(theme => ({
  facts: {
    display: 'grid',
    gridTemplateColumns: 'minmax(5em, auto) minmax(0, 1fr)',
    gap: theme.spacing(1, 2),
    margin: 0,
    '& dt': { color: quietColor(theme) },
    '& dd': { margin: 0, overflowWrap: 'anywhere' },
  },
  blocked: { margin: 0, paddingLeft: theme.spacing(2), maxHeight: '40vh', overflowY: 'auto' },
}));

export interface FactsProps {
  action: FactsAction;
  /** promote: to the end instead of one stage. */
  full?: boolean;
  label: string;
  details: ReleaseDetails;
  /** What the release measures; undefined: not known. */
  metricGates?: MetricGate[];
  onSend: (action: ActionName, request: ActionRequest, idempotencyKey: string) => Promise<void>;
  onClose: () => void;
}

/** What will happen, in facts, before it does: every action but pause and rollback. */
export function FactsDialog(props: FactsProps) {
  const review = useReview(props.action, props.details.release);
  return <FactsForm {...props} review={review} />;
}

/** `children` stand between the facts and what is asked for. */
export function FactsForm(props: FactsProps & { review: Review; children?: ReactNode }) {
  const { action, full = false, label, details, metricGates, onSend, onClose, review } = props;
  const { text } = useTexts();
  const { targets } = details;
  const [reason, setReason] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<TargetKey>>(new Set());
  const [onHold, setOnHold] = useState(false);
  const choices = targets.filter(({ state }) => SKIPPABLE.includes(state));
  const refs = action === 'skip-cluster' ? refsOf(choices, chosen) : undefined;
  const needed = NEEDS_REASON.includes(action);
  const asked = requestFor(action, details, review);
  const send = async () => {
    const request: ActionRequest = {
      ...asked,
      full: full || undefined,
      reason: reason.trim() || undefined,
      targets: refs ?? asked.targets,
      releaseHold: onHold || undefined,
    };
    try {
      await onSend(action, request, review.idempotencyKey);
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
      title={label.replace(/…$/, '')}
      confirm={text(onHold ? 'dialog.confirmHeld' : CONFIRM[action])}
      review={review}
      incomplete={(needed && !isReason(reason)) || refs?.length === 0}
      onConfirm={send}
      onClose={onClose}
    >
      <Facts
        action={action}
        full={full}
        details={details}
        metricGates={metricGates}
        review={review}
      />
      {props.children}
      {refs && <ClusterChoice targets={choices} chosen={chosen} onChosen={setChosen} />}
      <ReasonField needed={needed} reason={reason} onReason={setReason} />
    </ReviewedDialog>
  );
}

function Facts(props: {
  action: FactsAction;
  full: boolean;
  details: ReleaseDetails;
  metricGates?: MetricGate[];
  review: Review;
}) {
  const { action, full, details, metricGates, review } = props;
  const texts = useTexts();
  const { text } = texts;
  const classes = useStyles();
  const now = useNow();
  const { release, stages, targets } = details;
  const approval = stages
    .flatMap(({ approvals = [] }) => approvals)
    .find(({ gate }) => gate === review.gate);
  const measured =
    review.gate === undefined ? undefined : metricGates?.find(({ gate }) => gate === review.gate);
  return (
    <dl className={classes.facts}>
      <Fact name={text('dialog.fromTo')}>{versionsWord(release, texts)}</Fact>
      <Fact name={text('dialog.clusters')}>{countByState(targets, texts)}</Fact>
      {release.stage && (
        <Fact name={text('dialog.stage')}>
          {text('header.stage', {
            number: release.stage.index + 1,
            total: release.stage.total,
          })}
          {': '}
          {stageName(release.stage, texts)}
        </Fact>
      )}
      {action === 'approve' && (
        <Fact name={text('dialog.plan')}>{shortDigest(review.planHash)}</Fact>
      )}
      {approval && (
        <Fact name={text('dialog.approvals')}>
          <ApprovalFact approval={approval} />
        </Fact>
      )}
      {measured && (
        <Fact name={text('dialog.measurements')}>{measurementWords(measured.rules, texts)}</Fact>
      )}
      <Fact name={text('dialog.effect')}>
        {effectOf(action, { details, texts, now, full, approval, measured, metricGates })}
        {action === 'accept' && <BlockedList targets={blockedOf(targets)} />}
      </Fact>
    </dl>
  );
}

/** All of them, however many: none is accepted that is not listed. */
function BlockedList({ targets }: { targets: TargetView[] }) {
  const classes = useStyles();
  return targets.length === 0 ? null : (
    <ul className={classes.blocked}>
      {targets.map(target => (
        <li key={targetKey(target)}>
          {target.cluster}/{target.namespace}: {target.message}
        </li>
      ))}
    </ul>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <Typography component="dt" variant="body2">
        {name}
      </Typography>
      <Typography component="dd" variant="body2">
        {children}
      </Typography>
    </>
  );
}

/** What the person saw is part of the order, so that it cannot hit anything else. */
function requestFor(
  action: FactsAction,
  { targets }: ReleaseDetails,
  { expectedStage, gate, planHash, toAccept }: Review,
): ActionRequest {
  if (action === 'accept') {
    const listed = blockedOf(targets).map(({ cluster, namespace }) => ({ cluster, namespace }));
    return { expectedStage, ...toAccept, targets: listed.length > 0 ? listed : undefined };
  }
  return { expectedStage, gate, planHash: action === 'approve' ? planHash : undefined };
}

/** For example `2 Done, 1 Running`. */
function countByState(targets: TargetView[], { text, list }: Texts): string {
  const counts = new Map<TargetView['state'], number>();
  for (const { state } of targets) {
    counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  const parts = [...counts].map(([state, count]) =>
    text('dialog.byState', { count, state: text(`targetState.${state}`) }),
  );
  return list(parts);
}
