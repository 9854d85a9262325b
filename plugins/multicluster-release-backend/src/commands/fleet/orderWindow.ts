import { ConflictError } from '@backstage/errors';
import type { WindowRequest } from 'backstage-plugin-multicluster-release-common';
import { addWindow, appendEvents, type AddWindowResult, type WindowRecord } from '../../store';
import type { Actor, CommandContext } from '../CommandContext';
import { DocumentsRefusedError } from '../errors';
import { unknownServices, type FindServices } from './checkNames';
import { fleetEvent } from './fleetEvent';
import { readFleetView } from './FleetView';
import { releasesOf } from './reach';
import { readWindow, type ReadWindow } from './readWindow';
import { tellReleases } from './tellReleases';
import { windowEvent } from './windowEvent';

export interface WindowToOrder {
  request: WindowRequest;
  actor: Actor;
  find: FindServices;
}

/**
 * Adds a release window of the platform.
 *
 * @throws DocumentsRefusedError with every fault; ConflictError where another one has the name
 */
export async function orderWindow(
  context: CommandContext,
  { request, actor, find }: WindowToOrder,
): Promise<{ result: 'added' | 'exists'; window: WindowRecord }> {
  const { places } = await readFleetView(context);
  const { window, faults } = readWindow(request);
  const recorded = [...new Set(places.map(({ service }) => service))];
  const services = window.services ?? [];
  const all = [...faults, ...(await unknownServices(services, 'services', { recorded, find }))];
  if (request.services?.length === 0) {
    const message = 'is empty; leave it out for all services';
    all.push({ code: 'InvalidWindow', path: 'services', message });
  }
  if (all.length > 0) {
    throw new DocumentsRefusedError('InvalidWindow', all);
  }
  const by = actor.onBehalfOf ?? actor.ref;
  const added = await add(context, window, { by, reason: request.reason.trim() });
  if (added.result === 'nameTaken') {
    throw new ConflictError(
      `The release window ${window.spec.name} exists with other times or services; remove it first, or take another name.`,
    );
  }
  if (added.result === 'added') {
    const reached = places.filter(place => windowReaches(added.window, place.service));
    await tellReleases(context, releasesOf(reached), () => [
      windowEvent('WindowAdded', added.window, added.window),
    ]);
  }
  return { result: added.result, window: added.window };
}

/** Whether releases of the service keep to the window. */
export function windowReaches(
  { services }: Pick<ReadWindow, 'services'>,
  service: string,
): boolean {
  return services === undefined || services.includes(service);
}

async function add(
  { database, newId, now }: CommandContext,
  window: ReadWindow,
  order: { by: string; reason: string },
): Promise<AddWindowResult> {
  return database.transaction(async tx => {
    const added = await addWindow(tx, { id: newId(), ...window, ...order, now: now() });
    if (added.result === 'added') {
      const event = windowEvent('WindowAdded', added.window, order);
      await appendEvents(tx, [fleetEvent(event, added.window.since)]);
    }
    return added;
  });
}
