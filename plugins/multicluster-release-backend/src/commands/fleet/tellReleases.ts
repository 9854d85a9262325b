import { isError } from '@backstage/errors';
import type { ReleaseRun, RunEvent } from '../../decide/types';
import { changeRun } from '../../store';
import type { CommandContext } from '../CommandContext';

/**
 * Writes an order into the history of every release that it reaches, and wakes
 * their engines. One transaction for each, after the order itself stands: it
 * must hold for a thousand releases before the first of them is told. One that
 * cannot be told keeps nobody else from it, and is no failure of the order: it
 * is tried once more after the others, and then reported to `onTellFailed`.
 */
export async function tellReleases(
  context: CommandContext,
  releaseIds: string[],
  eventsFor: (run: ReleaseRun) => RunEvent[],
): Promise<void> {
  const untold = await tellEach(context, releaseIds, eventsFor);
  const failed = await tellEach(context, [...untold.keys()], eventsFor);
  failed.forEach((error, releaseId) => context.onTellFailed(releaseId, error));
}

/** Answers those that could not be told, and why. */
async function tellEach(
  context: CommandContext,
  releaseIds: string[],
  eventsFor: (run: ReleaseRun) => RunEvent[],
): Promise<Map<string, unknown>> {
  const untold = new Map<string, unknown>();
  for (const releaseId of releaseIds) {
    try {
      await tellRelease(context, releaseId, eventsFor);
    } catch (error) {
      untold.set(releaseId, error);
    }
  }
  return untold;
}

async function tellRelease(
  context: CommandContext,
  releaseId: string,
  eventsFor: (run: ReleaseRun) => RunEvent[],
): Promise<void> {
  let service = '';
  try {
    const told = await changeRun<never>(
      context.database,
      releaseId,
      ({ run }) => {
        service = run.service;
        return { run, events: eventsFor(run) };
      },
      { now: context.now() },
    );
    if (told.result === 'changed') {
      context.onChange({ releaseId, service, revision: told.revision });
    }
  } catch (error) {
    // It was removed with old records since it was listed: it needs no telling.
    if (!isError(error) || error.name !== 'NotFoundError') {
      throw error;
    }
  }
}
