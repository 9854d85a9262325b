import { releaseHold } from '../../store';
import type { Actor, CommandContext } from '../CommandContext';

/**
 * Lets a version be released again. Doing it twice changes nothing.
 *
 * @throws NotFoundError
 */
export async function liftHold(
  { database, now }: CommandContext,
  { holdId, actor, reason }: { holdId: string; actor: Actor; reason?: string },
): Promise<void> {
  await releaseHold(database, {
    id: holdId,
    by: actor.onBehalfOf ?? actor.ref,
    reason,
    now: now(),
  });
}
