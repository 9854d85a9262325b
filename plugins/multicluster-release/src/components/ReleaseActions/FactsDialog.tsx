import type { ReactNode } from 'react';
import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import type {
  ActionName,
  ActionRequest,
  TargetView,
} from 'backstage-plugin-multicluster-release-common';
import { useNow, useTexts, type ReleaseDetails } from '../../hooks';
import { waitingReason, type TextKey, type Texts } from '../../text';
import { stageName } from '../StageRail';
import { nextStage } from './actionItems';
import { ReviewedDialog } from './ReviewedDialog';
import { useReview } from './useReview';
import { quietColor } from '../ReleaseStatus';

export type FactsAction = Exclude<ActionName, 'pause' | 'rollback'>;

const CONFIRM: Record<FactsAction, TextKey> = {
  promote: 'dialog.confirmPromote',
  resume: 'dialog.confirmResume',
  abort: 'dialog.confirmAbort',
  retry: 'dialog.confirmRetry',
  accept: 'dialog.confirmAccept',
};

const useStyles = makeStyles(theme => ({
  facts: {
    display: 'grid',
    gridTemplateColumns: 'minmax(5em, auto) minmax(0, 1fr)',
    gap: theme.spacing(1, 2),
    margin: 0,
    '& dt': { color: quietColor(theme) },
    '& dd': { margin: 0, overflowWrap: 'anywhere' },
  },
}));

interface FactsDialogProps {
  action: FactsAction;
  label: string;
  details: ReleaseDetails;
  onSend: (action: ActionName, request: ActionRequest, idempotencyKey: string) => Promise<void>;
  onClose: () => void;
}

/** What will happen, in facts, before it does: promote, resume, stop, retry, accept. */
export function FactsDialog({ action, label, details, onSend, onClose }: FactsDialogProps) {
  const texts = useTexts();
  const { text } = texts;
  const classes = useStyles();
  const now = useNow();
  const { release, targets } = details;
  const review = useReview(action, release);
  const from = texts.list(release.fromVersions) || text('header.none');
  const send = () =>
    onSend(action, requestFor(action, details, review.expectedStage), review.idempotencyKey);
  return (
    <ReviewedDialog
      title={label.replace(/…$/, '')}
      confirm={text(CONFIRM[action])}
      review={review}
      onConfirm={send}
      onClose={onClose}
    >
      <dl className={classes.facts}>
        <Fact name={text('dialog.fromTo')}>
          {from} → {release.targetVersion}
        </Fact>
        <Fact name={text('dialog.clusters')}>{countByState(targets, texts)}</Fact>
        {release.stage && (
          <Fact name={text('dialog.stage')}>
            {text('header.stage', {
              number: release.stage.index + 1,
              total: release.stage.total,
            })}
            {': '}
            {release.stage.name}
          </Fact>
        )}
        <Fact name={text('dialog.effect')}>{effectOf(action, details, texts, now)}</Fact>
      </dl>
    </ReviewedDialog>
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

function requestFor(
  action: FactsAction,
  { release }: ReleaseDetails,
  expectedStage: number | undefined,
): ActionRequest {
  if (action === 'accept') {
    const changed = release.waiting.find(({ code }) => code === 'planChanged');
    const hash = changed?.params.hash;
    return { expectedStage, planHash: typeof hash === 'string' ? hash : undefined };
  }
  return { expectedStage };
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

function effectOf(action: FactsAction, details: ReleaseDetails, texts: Texts, now: number): string {
  const { text } = texts;
  const { release, targets } = details;
  switch (action) {
    case 'promote':
      return promoteEffect(details, texts);
    case 'abort':
      return text('dialog.effectAbort', { version: release.targetVersion });
    case 'retry':
      return text('dialog.effectRetry', {
        names: namesOf(targets.filter(({ state }) => state === 'Failed')),
      });
    case 'accept': {
      const changes = release.waiting.filter(
        ({ code }) => code === 'changed' || code === 'planChanged',
      );
      return text('dialog.effectAccept', {
        what: changes.map(change => waitingReason(change, texts, now)).join('; '),
      });
    }
    default:
      return text('dialog.effectResume');
  }
}

function promoteEffect({ release, stages, targets }: ReleaseDetails, texts: Texts): string {
  const next = nextStage(release, stages);
  if (!next) {
    return texts.text('dialog.effectPromoteEnd');
  }
  const names = namesOf(targets.filter(({ stage }) => stage === next.index));
  return texts.text('dialog.effectPromote', {
    stage: stageName(next, texts),
    count: next.total,
    names,
  });
}

const MOST_NAMES = 8;

function namesOf(targets: TargetView[]): string {
  const names = targets.slice(0, MOST_NAMES).map(({ cluster }) => cluster);
  const rest = targets.length - names.length;
  return rest > 0 ? `${names.join(', ')} +${rest}` : names.join(', ');
}
