import { checkRemovalOrder } from './checkers/checkRemoval';
import { removeService } from './commands';
import type { Move } from './script';
import type { World } from './World';

export type RemovalMove = Extract<Move, { do: 'remove' }>;

/** Somebody takes the service off one of the clusters, if that is not refused. */
export function orderRemoval(world: World, { on, last }: RemovalMove): void {
  const { clusters, database, facts, hasEntity } = world;
  if (!hasEntity) {
    return;
  }
  const names = [...clusters.keys()];
  const cluster = names[on % names.length];
  const isWell = (name: string) => clusters.get(name)?.weather.cut === undefined;
  const end = removeService(database, { cluster, last, isWell });
  const word = end === 'refused' ? end : end.run.id;
  world.note(`the service is to leave ${cluster}${last ? ', its last one or not' : ''}: ${word}`);
  if (end !== 'refused') {
    facts.approved.add(end.run.plans[0].hash);
    facts.removals.set(end.run.id, { cluster, last });
    world.guard(() => checkRemovalOrder(end.run, facts));
    world.wakeAll();
  }
}
