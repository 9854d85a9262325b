import type { ApprovalView, TargetView } from 'backstage-plugin-multicluster-release-common';
import type { ReleaseDetails } from '../../hooks';
import { entityName, waitingReason, type Texts } from '../../text';
import { stageName } from '../StageRail';
import { nextStage } from './actionItems';
import type { FactsAction } from './FactsDialog';

interface EffectInput {
  details: ReleaseDetails;
  texts: Texts;
  now: number;
  full: boolean;
  /** The question that is answered or let go. */
  approval?: ApprovalView;
}

/** What an action does, in a sentence or two. */
export function effectOf(action: FactsAction, input: EffectInput): string {
  const { details, texts, now, full } = input;
  const { text } = texts;
  const { release, targets } = details;
  switch (action) {
    case 'promote':
      return full ? text('dialog.effectPromoteFull') : promoteEffect(details, texts);
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
    case 'approve':
      return approveEffect(input);
    case 'reject':
      return text('dialog.effectReject');
    case 'skip-gate':
      return skipGateEffect(input);
    case 'skip-wait':
      return text('dialog.effectSkipWait');
    case 'skip-cluster':
      return text('dialog.effectSkipCluster');
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

/** Also what still stands in the way afterwards. */
function approveEffect({ approval, details, texts, now }: EffectInput): string {
  const { text } = texts;
  const missing = approval ? approval.required - approval.votes.length - 1 : 0;
  const others = details.release.waiting.filter(({ code }) => code !== 'approval');
  const also = others.map(cause => waitingReason(cause, texts, now)).join('; ');
  return [
    missing > 0
      ? text('dialog.effectApproveMore', { count: missing })
      : text('dialog.effectApproveLast'),
    ...(also ? [text('dialog.effectApproveAlso', { what: also })] : []),
  ].join(' ');
}

function skipGateEffect({ approval, texts }: EffectInput): string {
  const { text, list } = texts;
  if (!approval) {
    return text('dialog.effectSkipJobs');
  }
  const { from } = approval;
  const who = from.length > 0 ? list(from.map(entityName)) : text('approval.anyone');
  return text('dialog.effectSkipApproval', { who });
}

const MOST_NAMES = 8;

function namesOf(targets: TargetView[]): string {
  const names = targets.slice(0, MOST_NAMES).map(({ cluster }) => cluster);
  const rest = targets.length - names.length;
  return rest > 0 ? `${names.join(', ')} +${rest}` : names.join(', ');
}
