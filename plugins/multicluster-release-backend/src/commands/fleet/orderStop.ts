import type { Reach } from 'backstage-plugin-multicluster-release-common';
import { appendEvents, placeStop, type StopRecord } from '../../store';
import type { Actor, CommandContext } from '../CommandContext';
import { DocumentsRefusedError } from '../errors';
import type { FindServices } from './checkNames';
import { reasonFaults } from './faults';
import { fleetEvent } from './fleetEvent';
import { readFleetView } from './FleetView';
import { measureReach, reachedPlaces, releasesOf } from './reach';
import { readScope, type GivenScope } from './readScope';
import { stopEvent } from './stopEvent';
import { tellReleases } from './tellReleases';

export interface StopToOrder {
  scope: GivenScope;
  reason: string;
  allowRollback: boolean;
  actor: Actor;
  find: FindServices;
}

export interface OrderedStop {
  /** `exists`: the same one stands already. */
  result: 'placed' | 'exists';
  stop: StopRecord;
  reach: Reach;
}

/**
 * Orders an emergency stop. Where it reaches nothing more is begun once the engine
 * has read it, within one poll; a request that is under way is not called back.
 *
 * @throws DocumentsRefusedError with every fault
 */
export async function orderStop(
  context: CommandContext,
  { scope: given, reason, allowRollback, actor, find }: StopToOrder,
): Promise<OrderedStop> {
  const fleet = await readFleetView(context);
  const { scope, faults } = await readScope(given, fleet, find);
  const all = [...faults, ...reasonFaults(reason)];
  if (all.length > 0) {
    throw new DocumentsRefusedError('InvalidStop', all);
  }
  const by = actor.onBehalfOf ?? actor.ref;
  const { result, stop } = await place(context, {
    ...{ id: context.newId(), scope, reason: reason.trim(), allowRollback, by },
  });
  if (result === 'placed') {
    await tellReleases(context, releasesOf(reachedPlaces(scope, fleet)), () => [
      stopEvent('StopOrdered', stop, stop),
    ]);
  }
  return { result, stop, reach: measureReach(scope, fleet) };
}

async function place(
  { database, now }: CommandContext,
  order: Omit<Parameters<typeof placeStop>[1], 'now'>,
): ReturnType<typeof placeStop> {
  return database.transaction(async tx => {
    const placed = await placeStop(tx, { ...order, now: now() });
    if (placed.result === 'placed') {
      const { stop } = placed;
      await appendEvents(tx, [fleetEvent(stopEvent('StopOrdered', stop, stop), stop.since)]);
    }
    return placed;
  });
}
