import type { ApprovalView, TargetView } from 'backstage-plugin-multicluster-release-common';
import type { MetricGate, ReleaseDetails } from '../../hooks';
import { entityName, firstNames, stageName, waitingReason, type Texts } from '../../text';
import { nextStage } from './actionItems';
import type { FactsAction } from './FactsDialog';

interface EffectInput {
  details: ReleaseDetails;
  texts: Texts;
  now: number;
  full: boolean;
  /** The question that is answered or let go. */
  approval?: ApprovalView;
  /** The measurements that are let go. */
  measured?: MetricGate;
  /** All measurements of the release; undefined: not known. */
  metricGates?: MetricGate[];
}

/** What an action does, in a sentence or two. */
export function effectOf(action: FactsAction, input: EffectInput): string {
  const { details, texts, full } = input;
  const { text } = texts;
  const { release, targets } = details;
  switch (action) {
    case 'promote':
      return full ? text('dialog.effectPromoteFull') : promoteEffect(details, texts);
    case 'abort':
      return text('dialog.effectAbort', { version: release.targetVersion });
    case 'retry': {
      const failed = targets.filter(({ state }) => state === 'Failed');
      return text('dialog.effectRetry', { count: failed.length, names: namesOf(failed) });
    }
    case 'accept':
      return acceptEffect(input);
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

/** Clusters that changed since the preview and wait for somebody to accept that. */
export function blockedOf(targets: TargetView[]): TargetView[] {
  return targets.filter(({ state }) => state === 'Blocked');
}

/** What changed on clusters is listed apart: the causes of the release name only the first few. */
function acceptEffect({ details, texts, now }: EffectInput): string {
  const { release, targets } = details;
  const plans = release.waiting
    .filter(({ code }) => code === 'planChanged' || code === 'hold')
    .map(change => waitingReason(change, texts, now));
  const count = blockedOf(targets).length;
  const clusters = count > 0 ? [texts.text('dialog.acceptClusters', { count })] : [];
  const what = [...plans, ...clusters].join('; ');
  return what
    ? texts.text('dialog.effectAccept', { what })
    : texts.text('dialog.effectAcceptPlain');
}

function promoteEffect({ release, stages }: ReleaseDetails, texts: Texts): string {
  const next = nextStage(release, stages);
  if (!next) {
    return texts.text('dialog.effectPromoteEnd');
  }
  return texts.text('dialog.effectPromote', {
    stage: stageName(next, texts),
    count: next.total,
    names: firstNames(next.clusters, next.total),
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

/** Jobs are what is neither a question nor a measurement, once those are known. */
function skipGateEffect({ approval, measured, metricGates, texts }: EffectInput): string {
  const { text, list } = texts;
  if (measured) {
    return text('dialog.effectSkipMetrics');
  }
  if (!approval) {
    return text(metricGates ? 'dialog.effectSkipJobs' : 'dialog.effectSkipGate');
  }
  const { from } = approval;
  const who = from.length > 0 ? list(from.map(entityName)) : text('approval.anyone');
  return text('dialog.effectSkipApproval', { who });
}

function namesOf(targets: TargetView[]): string {
  return firstNames(targets.map(({ cluster }) => cluster));
}
