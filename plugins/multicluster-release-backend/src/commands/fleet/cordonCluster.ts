import { NotFoundError } from '@backstage/errors';
import type { Knex } from 'knex';
import type { ReleaseRun, RunEvent } from '../../decide/types';
import { appendEvents, liftCordon, placeCordon } from '../../store';
import type { Actor, CommandContext } from '../CommandContext';
import { DocumentsRefusedError } from '../errors';
import { unknownNames } from './checkNames';
import { reasonFaults } from './faults';
import { fleetEvent } from './fleetEvent';
import { readFleetView } from './FleetView';
import { releasesOf } from './reach';
import { tellReleases } from './tellReleases';

export interface CordonToOrder {
  cluster: string;
  /** False: it takes releases again. */
  cordoned: boolean;
  reason: string;
  actor: Actor;
}

/**
 * Takes a cluster out, or lets it take releases again. Doing it twice changes nothing.
 *
 * @throws NotFoundError that names the nearest cluster; DocumentsRefusedError without a reason
 */
export async function cordonCluster(
  context: CommandContext,
  { cluster, cordoned, reason, actor }: CordonToOrder,
): Promise<void> {
  const { clusters, places } = await readFleetView(context);
  const known = clusters.map(({ name }) => name);
  const [unknown] = unknownNames({ names: [cluster], path: 'name', what: 'Cluster', known });
  if (unknown) {
    throw new NotFoundError(`${cluster}: ${unknown.message}`);
  }
  const faults = reasonFaults(reason);
  if (faults.length > 0) {
    throw new DocumentsRefusedError('InvalidReason', faults);
  }
  const order = { cluster, by: actor.onBehalfOf ?? actor.ref, reason: reason.trim() };
  const event = cordonEvent(cordoned, order);
  const changed = await context.database.transaction(async tx => {
    const isChange = await change(tx, context, cordoned, order);
    if (isChange) {
      await appendEvents(tx, [fleetEvent(event, context.now(), cluster)]);
    }
    return isChange;
  });
  if (changed) {
    const reached = places.filter(place => place.cluster === cluster);
    await tellReleases(context, releasesOf(reached), run => ofTargets(run, cluster, event));
  }
}

interface Order {
  cluster: string;
  by: string;
  reason: string;
}

async function change(
  tx: Knex.Transaction,
  { newId, now }: CommandContext,
  cordoned: boolean,
  order: Order,
): Promise<boolean> {
  const result = cordoned
    ? await placeCordon(tx, { id: newId(), ...order, now: now() })
    : await liftCordon(tx, { ...order, now: now() });
  return result !== 'unchanged';
}

function cordonEvent(cordoned: boolean, { cluster, by, reason }: Order): RunEvent {
  return {
    kind: 'release',
    code: cordoned ? 'ClusterCordoned' : 'ClusterUncordoned',
    params: { cluster },
    message: cordoned
      ? `Cluster ${cluster} was taken out: it takes no new release`
      : `Cluster ${cluster} takes releases again`,
    actor: by,
    reason,
  };
}

/** The event once for each of the release's targets on the cluster. */
function ofTargets({ targets }: ReleaseRun, cluster: string, event: RunEvent): RunEvent[] {
  return targets.filter(target => target.cluster === cluster).map(({ key }) => ({ ...event, key }));
}
