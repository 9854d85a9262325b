import type { ActionReason, ActionState } from 'backstage-plugin-multicluster-release-common';

export function allowed(expectedStage?: number): ActionState {
  return expectedStage === undefined ? { allowed: true } : { allowed: true, expectedStage };
}

export function denied(
  reasonCode: ActionReason,
  message: string,
  params: ActionState['params'] = {},
): ActionState {
  return { allowed: false, reasonCode, message, params };
}
