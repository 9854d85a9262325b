import { checkJoiners } from './checkers/checkMembers';
import { catchUpJoiners } from './commands';
import type { Move } from './script';
import type { World } from './World';

type MemberMove = Extract<Move, { do: 'member' }>;

/** Clusters come onto the list and go, and now and then the list cannot be read. */
export function changeMembers(world: World, { change, on, lasts }: MemberMove): void {
  const names = [...world.clusters.keys()];
  const name = names[on % names.length];
  const changes = {
    join: () => joinFleet(world, name),
    leave: () => world.time.after(lasts, leaveFleet(world, name)),
    leaveForGood: () => {
      leaveFleet(world, name);
      world.fleet.leaveForGood(name);
    },
    listFails: () => world.time.after(lasts, world.fleet.trouble()),
  };
  world.note(`fleet: ${change}${change === 'listFails' ? '' : ` ${name}`}`);
  changes[change]();
}

/** Answers what brings it back. */
export function leaveFleet(world: World, name: string): () => void {
  world.fleet.leave(name);
  tell(world, name);
  return () => joinFleet(world, name);
}

export function joinFleet(world: World, name: string): void {
  world.fleet.join(name);
  tell(world, name);
}

/** Whoever watches it looks again. */
function tell({ clusters }: World, name: string): void {
  clusters.get(name)?.change({});
}

/** What a backend does every minute. */
export function catchUp(world: World): void {
  const row = world.hasEntity ? catchUpJoiners(world.database, world.fleet) : undefined;
  if (row) {
    world.note(`${row.run.id} lets ${row.run.targets.map(({ cluster }) => cluster)} catch up`);
    world.facts.approved.add(row.run.plans[0].hash);
    world.guard(() => checkJoiners(row, world.facts));
    world.wakeAll();
  }
}
