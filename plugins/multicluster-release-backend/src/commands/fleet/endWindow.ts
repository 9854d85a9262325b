import { NotFoundError } from '@backstage/errors';
import { appendEvents, findWindow, removeWindow } from '../../store';
import type { Actor, CommandContext } from '../CommandContext';
import { DocumentsRefusedError } from '../errors';
import { reasonFaults } from './faults';
import { fleetEvent } from './fleetEvent';
import { readFleetView } from './FleetView';
import { windowReaches } from './orderWindow';
import { releasesOf } from './reach';
import { tellReleases } from './tellReleases';
import { windowEvent } from './windowEvent';

/**
 * Removes a release window of the platform. Doing it twice changes nothing.
 *
 * @throws NotFoundError; DocumentsRefusedError without a reason
 */
export async function endWindow(
  context: CommandContext,
  { id, reason = '', actor }: { id: string; reason?: string; actor: Actor },
): Promise<void> {
  const window = await findWindow(context.database, id);
  if (!window) {
    throw new NotFoundError(`Release window ${id} does not exist; list the windows again.`);
  }
  const faults = reasonFaults(reason);
  if (faults.length > 0) {
    throw new DocumentsRefusedError('InvalidReason', faults);
  }
  const end = { by: actor.onBehalfOf ?? actor.ref, reason: reason.trim() };
  const event = windowEvent('WindowRemoved', window, end);
  // Before it is removed: what fails then has changed nothing, and can be sent again.
  const { places } = await readFleetView(context);
  const removed = await context.database.transaction(async tx => {
    const now = context.now();
    const result = await removeWindow(tx, { id, ...end, now });
    if (result === 'removed') {
      await appendEvents(tx, [fleetEvent(event, now)]);
    }
    return result;
  });
  if (removed === 'removed') {
    const reached = places.filter(({ service }) => windowReaches(window, service));
    await tellReleases(context, releasesOf(reached), () => [event]);
  }
}
