import type { PreviewView } from 'backstage-plugin-multicluster-release-common';
import { savePreviewedPlan, type PreviewedPlan } from '../../store';
import type { CommandContext } from '../CommandContext';
import {
  compileRelease,
  type CompiledRelease,
  type CompileRequest,
} from '../planning/compileRelease';
import { previewTargets, type PreviewedTargets } from '../planning/previewTargets';

/**
 * Previews a release: the plan, what it would change on each cluster, and what
 * stands against it. Nothing is written to any cluster. A preview without errors
 * is kept for 24 hours, so that exactly it can be started.
 */
export async function planRelease(
  context: CommandContext,
  request: CompileRequest,
): Promise<PreviewView> {
  const compiled = await compileRelease(context, request);
  const { plan, findings, selection } = compiled;
  if (!plan) {
    return { plan: undefined, findings, diff: [], excluded: selection.excluded };
  }
  const previewed = await previewTargets(context, plan, compiled.current);
  const kept = await keepPreview(context, compiled, previewed);
  return { plan, findings: kept.findings, diff: kept.diff, excluded: kept.excluded };
}

/** Stores the preview; the plan must be there. */
export async function keepPreview(
  { database, now }: CommandContext,
  { spec, plan, findings, selection }: CompiledRelease,
  { diff, risks, findings: live }: PreviewedTargets,
): Promise<PreviewedPlan> {
  if (!plan) {
    throw new Error('A release without a plan has no preview to keep');
  }
  const preview: PreviewedPlan = {
    hash: plan.hash,
    service: plan.service,
    spec,
    plan,
    findings: [...findings, ...live],
    diff,
    excluded: selection.excluded,
    risks,
    createdAt: now(),
  };
  await savePreviewedPlan(database, preview);
  return preview;
}
