import type { ApprovalView } from 'backstage-plugin-multicluster-release-common';
import { agreed } from '../../decide/approvals';
import { forwardPlan, gateSteps } from '../../decide/turn';
import type { ReleaseRun } from '../../decide/types';

/** The questions of a stage, asked or still to come; undefined: it has none. Pure. */
export function approvalViews(run: ReleaseRun, index: number): ApprovalView[] | undefined {
  const stageRun = run.stages[index];
  const views = gateSteps(forwardPlan(run).stages[index]).flatMap((step): ApprovalView[] => {
    if (!step.approve) {
      return [];
    }
    const { required, from, selfApproval } = step.approve;
    const question = stageRun?.approvals?.find(({ stepId }) => stepId === step.id);
    const skipped = stageRun?.skipped?.find(({ stepId }) => stepId === step.id);
    return [
      {
        gate: step.id,
        when: step.when ?? 'after',
        required,
        from,
        selfApproval,
        askedAt: question?.askedAt,
        expiresAt: question?.expiresAt,
        passedAt: question?.passedAt,
        votes: question
          ? agreed(run, question).map(({ by, at, reason }) => ({ by, at, reason }))
          : [],
        skipped: skipped && { by: skipped.by, at: skipped.at, reason: skipped.reason },
      },
    ];
  });
  return views.length > 0 ? views : undefined;
}
