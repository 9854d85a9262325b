import { ACTIVE_STATES, type OpenApproval } from 'backstage-plugin-multicluster-release-common';
import type { Request, Response } from 'express';
import { actionStates } from '../../commands/actions/allowed';
import type { ApprovingViewer } from '../../commands/actions/approving';
import { openQuestions } from '../../commands/actions/gates';
import { forwardPlan } from '../../decide/turn';
import type { ReleaseRun } from '../../decide/types';
import { listReleases, loadRuns, type ReleaseRecord } from '../../store';
import type { HttpContext } from '../HttpContext';
import { pageOfList } from '../pageOfList';
import { queryFlag, queryPage } from '../queries';
import { deniedActions } from '../reads/readRelease';
import { visibleServices } from '../reads/visibleServices';
import { sendCached } from '../sendCached';
import { readApprover, readViewer, type Viewer } from '../Viewer';
import { approvalViews } from '../views/approvalViews';
import { startersOf } from '../views/releaseView';
import type { Routes } from './Routes';

/** How many releases are looked through at a time. */
const PAGE = 200;

export const approvalRoutes: Routes = (router, context) => {
  router.get('/approvals', (request, response) => sendApprovals(context, request, response));
};

async function sendApprovals(
  context: HttpContext,
  request: Request,
  response: Response,
): Promise<void> {
  const viewer = await readViewer(context, request);
  const approver = await readApprover(context, viewer);
  const records = await askingReleases(context);
  const services = records.map(({ service }) => service);
  const visible = await visibleServices(context, viewer, services);
  const shown = records.filter(({ service }) => visible.has(service));
  const runs = await loadRuns(
    context.commands.database,
    shown.map(({ id }) => id),
  );
  const isMine = await mineOf(context, { viewer, approver }, shown);
  const mineOnly = queryFlag(request, 'mine');
  const open = [...runs.values()]
    .flatMap(({ run }) => openApprovals(run, isMine(run)))
    .filter(({ mine }) => mine || !mineOnly)
    .sort((a, b) => (a.askedAt ?? 0) - (b.askedAt ?? 0));
  sendCached(request, response, viewer.ref, pageOfList(open, queryPage(request)));
}

/** Releases under way in which somebody is asked; what they wait for stands in their own rows. */
async function askingReleases({ commands }: HttpContext): Promise<ReleaseRecord[]> {
  const found: ReleaseRecord[] = [];
  let cursor: string | undefined;
  do {
    const page = await listReleases(commands.database, {
      states: ACTIVE_STATES,
      limit: PAGE,
      cursor,
    });
    found.push(...page.items.filter(isAsking));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return found;
}

function isAsking({ head }: ReleaseRecord): boolean {
  return head.stages.some(({ approvals = [] }) =>
    approvals.some(({ passedAt }) => passedAt === undefined),
  );
}

/** Whether the viewer may answer now: what the page of the release offers, by the same rules. */
async function mineOf(
  context: HttpContext,
  { viewer, approver }: { viewer: Viewer; approver: ApprovingViewer },
  records: ReleaseRecord[],
): Promise<(run: ReleaseRun) => boolean> {
  const byId = new Map(records.map(record => [record.id, record]));
  const services = [...new Set(records.map(({ service }) => service))];
  const denied = new Map(
    await Promise.all(
      services.map(
        async service => [service, await deniedActions(context, viewer, service)] as const,
      ),
    ),
  );
  return run => {
    const record = byId.get(run.id);
    const starters = record && startersOf(record);
    return (
      denied.get(run.service)?.(run, approver).approve === undefined &&
      actionStates(run, { viewer: approver, starters }).approve.allowed
    );
  };
}

function openApprovals(run: ReleaseRun, mine: boolean): OpenApproval[] {
  const open = new Set(openQuestions(run).map(({ step }) => step.id));
  const { hash, stages } = forwardPlan(run);
  return (approvalViews(run, run.stage) ?? [])
    .filter(({ gate }) => open.has(gate))
    .map(view => ({
      ...view,
      releaseId: run.id,
      service: run.service,
      targetVersion: run.targetVersion,
      stage: { index: run.stage, name: stages[run.stage].name, kind: stages[run.stage].kind },
      planHash: hash,
      mine,
    }));
}
