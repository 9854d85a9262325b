import { NotFoundError } from '@backstage/errors';
import {
  holdReleasePermission,
  releaseApprovePermission,
  releaseControlPermission,
  releasePromotePermission,
  releaseReadPermission,
  releaseRollbackPermission,
  type ActionName,
  type ActionState,
  type ReleaseView,
} from 'backstage-plugin-multicluster-release-common';
import { askedSteps, type ApprovingViewer } from '../../commands/actions/approving';
import { openQuestions } from '../../commands/actions/gates';
import type { ReleaseRun } from '../../decide/types';
import { loadRuns, type ReleaseRecord } from '../../store';
import type { ServicePermission } from '../../permissions/Authorizer';
import type { HttpContext } from '../HttpContext';
import { readApprover, requireService, type Viewer } from '../Viewer';
import { orphansOf } from './orphans';
import { releaseView } from '../views/releaseView';

const ACTION_PERMISSIONS: Record<ActionName, ServicePermission> = {
  promote: releasePromotePermission,
  retry: releasePromotePermission,
  accept: releasePromotePermission,
  approve: releaseApprovePermission,
  reject: releaseApprovePermission,
  'skip-cluster': releaseControlPermission,
  'skip-wait': releasePromotePermission,
  'skip-gate': releasePromotePermission,
  pause: releaseControlPermission,
  resume: releaseControlPermission,
  abort: releaseControlPermission,
  rollback: releaseRollbackPermission,
};

const ASKED = [
  releaseApprovePermission,
  releasePromotePermission,
  releaseControlPermission,
  releaseRollbackPermission,
  holdReleasePermission,
];

export interface ReadRelease {
  record: ReleaseRecord;
  run: ReleaseRun;
  /** Its service's entity is gone, and the viewer keeps the fleet: all of its actions are theirs. */
  orphaned: boolean;
}

/**
 * Lets through who has the permission on the service, and to a service whose
 * entity is gone whoever keeps the fleet. Answers whether it is gone.
 *
 * @throws NotFoundError, NotAllowedError
 */
export async function requireRecorded(
  context: HttpContext,
  viewer: Viewer,
  service: string,
  permission: ServicePermission,
): Promise<boolean> {
  try {
    await requireService(context, viewer, service, permission);
    return false;
  } catch (error) {
    const gone = (await orphansOf(context, viewer, [service])).has(service);
    if (!gone) {
      throw error;
    }
    return true;
  }
}

/**
 * A release that the viewer may see.
 *
 * @throws NotFoundError where there is none, or its service is not visible to the viewer; NotAllowedError
 */
export async function readRelease(
  context: HttpContext,
  viewer: Viewer,
  id: string,
): Promise<ReadRelease> {
  const { database } = context.commands;
  const loaded = (await loadRuns(database, [id])).get(id);
  if (!loaded) {
    throw new NotFoundError(
      `Release ${id} does not exist; it may have been removed with old records.`,
    );
  }
  const { record, run } = loaded;
  const orphaned = await requireRecorded(context, viewer, record.service, releaseReadPermission);
  return { record, run, orphaned };
}

/** One release as this viewer may act on it. */
export async function viewRelease(
  context: HttpContext,
  viewer: Viewer,
  release: ReadRelease,
): Promise<ReleaseView> {
  const denied = await deniedActions(context, viewer, release.record.service);
  const approver = asksPeople(release.run) ? await readApprover(context, viewer) : undefined;
  return releaseView({
    ...release,
    viewer: approver,
    denied: denied(release.run, approver),
    timeScale: context.commands.settings.timeScale,
  });
}

/** Several releases; permissions are asked once for each service. */
export async function viewReleases(
  context: HttpContext,
  viewer: Viewer,
  records: ReleaseRecord[],
): Promise<ReleaseView[]> {
  const runs = await loadRuns(
    context.commands.database,
    records.map(({ id }) => id),
  );
  let approver: ApprovingViewer | undefined;
  const denied = new Map<string, DeniedActions>();
  const views: ReleaseView[] = [];
  for (const record of records) {
    const loaded = runs.get(record.id);
    const known =
      denied.get(record.service) ?? (await deniedActions(context, viewer, record.service));
    denied.set(record.service, known);
    if (loaded) {
      const { timeScale } = context.commands.settings;
      approver ??= asksPeople(loaded.run) ? await readApprover(context, viewer) : undefined;
      views.push(
        releaseView({
          viewer: approver,
          // Not the one of the list, which is older: state and counts have to agree.
          record: loaded.record,
          run: loaded.run,
          denied: known(loaded.run, approver),
          timeScale,
        }),
      );
    }
  }
  return views;
}

type DeniedActions = (
  run: ReleaseRun,
  approver: ApprovingViewer | undefined,
) => Partial<Record<ActionName, ActionState>>;

/** Which actions of a service's releases the viewer has no permission for. */
export async function deniedActions(
  context: HttpContext,
  viewer: Viewer,
  service: string,
): Promise<DeniedActions> {
  const answers = await context.authorizer.allowedPermissions(viewer.credentials, ASKED, service);
  const none = !answers.includes(true);
  if (none && (await orphansOf(context, viewer, [service])).has(service)) {
    return () => ({});
  }
  const refused = new Set(ASKED.filter((_, index) => !answers[index]));
  const actions = Object.keys(ACTION_PERMISSIONS) as ActionName[];
  return (run, approver) =>
    Object.fromEntries(
      actions
        .map(action => [action, neededFor(action, run, approver)] as const)
        .flatMap(([action, needed]) =>
          needed
            .filter(permission => refused.has(permission))
            .map(({ name }) => [action, notPermitted(name, service)] as const),
        ),
    );
}

/** Whose groups the viewer is in is asked only where somebody may be asked. */
function asksPeople(run: ReleaseRun): boolean {
  return run.stages.some(({ approvals }) => approvals !== undefined);
}

function neededFor(
  action: ActionName,
  run: ReleaseRun,
  approver: ApprovingViewer | undefined,
): ServicePermission[] {
  const permission = ACTION_PERMISSIONS[action];
  if (action === 'accept' && run.planChanged?.hold) {
    return [permission, holdReleasePermission];
  }
  if (action === 'skip-gate' && openQuestions(run).length > 0 && !approver?.isPlatform) {
    // Whoever may not give an approval may not let it go.
    return [permission, releaseApprovePermission];
  }
  const asksAnybody = askedSteps(run).some(({ approve }) => !approve?.from.length);
  // A question that names nobody is for whoever may promote.
  return asksAnybody && (action === 'approve' || action === 'reject')
    ? [permission, releasePromotePermission]
    : [permission];
}

/** What an order needs in the state that the release is in. @throws NotAllowedError */
export async function requireForAction(
  context: HttpContext,
  viewer: Viewer,
  action: ActionName,
  { record, run, orphaned }: ReadRelease,
  approver: ApprovingViewer | undefined,
): Promise<void> {
  if (orphaned) {
    return;
  }
  for (const permission of neededFor(action, run, approver)) {
    await context.authorizer.requireForService(viewer.credentials, permission, record.service);
  }
}

function notPermitted(permission: string, service: string): ActionState {
  return {
    allowed: false,
    reasonCode: 'NotAllowed',
    params: { permission, service },
    message: `Needs the permission ${permission} on ${service}.`,
  };
}
