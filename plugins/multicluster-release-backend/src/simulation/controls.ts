import { PLATFORM } from './persons';
import type { Move } from './script';
import { DEPENDENCY } from './SimulatedControls';
import { leaveFleet } from './members';
import { windowEach } from './windows';
import type { World } from './World';

export type ControlMove = Extract<Move, { do: 'control' }>;

/** The platform's people give an order, and end it after a while. */
export function giveControl(world: World, move: ControlMove): void {
  const { controls } = world.database;
  const { control, on, lasts } = move;
  const names = [...world.clusters.keys()];
  const one = names[on % names.length];
  const since = world.time.now();
  const by = PLATFORM;
  const id = `${control} ${move.at}`;
  const stop = (clusters: string[], allowRollback: boolean) =>
    controls.give(controls.stops, id, { id, by, reason: 'fire', since, allowRollback, clusters });
  world.note(
    `the platform orders ${control}${
      /One|cordon|leave|dependency/.test(control) ? ` on ${one}` : ''
    }`,
  );
  const ends = {
    stopAll: () => stop(names, false),
    stopOne: () => stop([one], false),
    stopButRollback: () => stop(names, true),
    cordon: () => controls.give(controls.cordons, one, { by, reason: 'moves house', since }),
    denyWindow: () => controls.give(controls.windows, id, windowEach('deny', 10, 3)),
    allowWindow: () => controls.give(controls.windows, id, windowEach('allow', 6, 2)),
    leave: () => leaveFleet(world, one),
    dependency: () => controls.give(controls.dependencies, one, DEPENDENCY.ready),
  };
  const end = ends[control]();
  world.time.after(lasts, () => {
    world.note(`the platform ends ${control}`);
    end();
  });
}
