import type { Finding } from 'backstage-plugin-multicluster-release-common';
import {
  createRelease,
  findPreviewedPlan,
  listHolds,
  type CreateReleaseResult,
  type IdempotencyKey,
  type PreviewedPlan,
} from '../../store';
import { findUsedKey } from '../../store/operations/idempotency/idempotencyKeys';
import type { Actor, CommandContext } from '../CommandContext';
import { DocumentsRefusedError, RecordMovedError, RefusedError } from '../errors';
import {
  compileRelease,
  isError,
  type CompiledRelease,
  type CompileRequest,
} from '../planning/compileRelease';
import { previewTargets } from '../planning/previewTargets';
import { newRelease, refuseHeld } from './newRelease';
import { keepPreview } from './planRelease';

export interface StartRequest extends CompileRequest {
  actor: Actor;
  /** Start only what was previewed. */
  planHash?: string;
  reason?: string;
  link?: string;
  idempotency?: IdempotencyKey;
}

/** How often a start is compiled anew because another release of the service moved meanwhile. */
const ATTEMPTS = 4;

/**
 * Starts a release, or queues it behind the active one of its service.
 *
 * @throws DocumentsRefusedError where a finding is an error; RefusedError
 * `PlanChanged` where the plan is not the previewed one; OnHoldError
 */
export async function startRelease(
  context: CommandContext,
  request: StartRequest,
): Promise<CreateReleaseResult> {
  const repeated = await findRepeated(context, request.idempotency);
  if (repeated) {
    return repeated;
  }
  for (let attempt = 1; ; attempt += 1) {
    const prepared = await prepare(context, request);
    try {
      return await create(context, request, prepared);
    } catch (error) {
      if (!(error instanceof RecordMovedError) || attempt === ATTEMPTS) {
        throw error;
      }
    }
  }
}

interface Prepared {
  compiled: CompiledRelease;
  preview: PreviewedPlan;
}

async function findRepeated(
  { database, now }: CommandContext,
  key: IdempotencyKey | undefined,
): Promise<CreateReleaseResult | undefined> {
  const id = key && (await database.transaction(tx => findUsedKey(tx, key, now())));
  return id === undefined ? undefined : { result: 'repeated', id };
}

async function prepare(context: CommandContext, request: StartRequest): Promise<Prepared> {
  const compiled = await compileRelease(context, request);
  const { service } = compiled.spec;
  refuseHeld(
    compiled.spec,
    (await listHolds(context.database, { services: [service], limit: 500 })).items,
  );
  refuseErrors(compiled.findings);
  const { plan } = compiled;
  if (!plan) {
    throw new DocumentsRefusedError('ReleaseRefused', [
      { code: 'NoPlan', message: 'There is no plan for this release.' },
    ]);
  }
  if (request.planHash !== undefined && request.planHash !== plan.hash) {
    throw planChanged(plan.hash, compiled.current.queuedBehind);
  }
  const known =
    request.planHash &&
    (await findPreviewedPlan(context.database, {
      hash: plan.hash,
      service: plan.service,
      now: context.now(),
    }));
  const preview =
    known ||
    (await keepPreview(context, compiled, await previewTargets(context, plan, compiled.current)));
  refuseErrors(preview.findings);
  return { compiled, preview };
}

function planChanged(hash: string, queuedBehind: string | undefined): RefusedError {
  const why = queuedBehind
    ? `release ${queuedBehind} of the service was started meanwhile`
    : 'documents, content, clusters or what runs have changed';
  return new RefusedError({
    code: 'PlanChanged',
    message: `The plan is no longer the one that was previewed: ${why}. Preview it again.`,
    params: { hash, what: why },
  });
}

function refuseErrors(findings: Finding[]): void {
  const errors = findings.filter(isError);
  if (errors.length > 0) {
    const [{ code }] = errors;
    throw new DocumentsRefusedError(
      errors.length === 1 ? code : 'ReleaseRefused',
      errors.map(({ code: each, message, path, cluster }) => ({
        code: each,
        message,
        path,
        cluster,
      })),
    );
  }
}

async function create(
  context: CommandContext,
  request: StartRequest,
  { compiled, preview }: Prepared,
): Promise<CreateReleaseResult> {
  const { actor, reason, link, idempotency } = request;
  const { service } = preview;
  const id = context.newId();
  const now = context.now();
  const result = await createRelease(context.database, {
    ...newRelease({ preview, current: compiled.current, order: request, id, now }),
    ...{ id, service },
    startedBy: actor.ref,
    onBehalfOf: actor.onBehalfOf,
    link,
    reason,
    idempotency,
    now,
  });
  context.onChange({ releaseId: result.id, service, revision: 1 });
  return result;
}
