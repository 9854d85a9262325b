import { NotFoundError } from '@backstage/errors';
import { appendEvents, findStop, liftStop } from '../../store';
import type { Actor, CommandContext } from '../CommandContext';
import { DocumentsRefusedError } from '../errors';
import { reasonFaults } from './faults';
import { fleetEvent } from './fleetEvent';
import { readFleetView } from './FleetView';
import { reachedPlaces, releasesOf } from './reach';
import { stopEvent } from './stopEvent';
import { tellReleases } from './tellReleases';

/**
 * Lifts an emergency stop. Doing it twice changes nothing.
 *
 * @throws NotFoundError; DocumentsRefusedError without a reason
 */
export async function endStop(
  context: CommandContext,
  { id, reason = '', actor }: { id: string; reason?: string; actor: Actor },
): Promise<void> {
  const stop = await findStop(context.database, id);
  if (!stop) {
    throw new NotFoundError(`Emergency stop ${id} does not exist; list the stops again.`);
  }
  const faults = reasonFaults(reason);
  if (faults.length > 0) {
    throw new DocumentsRefusedError('InvalidReason', faults);
  }
  const end = { by: actor.onBehalfOf ?? actor.ref, reason: reason.trim() };
  const event = stopEvent('StopLifted', stop, end);
  // Before it is lifted: what fails then has changed nothing, and can be sent again.
  const fleet = await readFleetView(context);
  const lifted = await context.database.transaction(async tx => {
    const now = context.now();
    const result = await liftStop(tx, { id, ...end, now });
    if (result === 'lifted') {
      await appendEvents(tx, [fleetEvent(event, now)]);
    }
    return result;
  });
  if (lifted === 'lifted') {
    await tellReleases(context, releasesOf(reachedPlaces(stop.scope, fleet)), () => [event]);
  }
}
