import { loadSources, SIMULATION } from './loadSources.mjs';

export const MOST_SEEDS = 2_000;

/** The code as it is, loaded once. @type {any} */
let sound;

/**
 * The first seed in which a planted fault breaks a rule that the code as it is
 * keeps; undefined where none of the seeds does.
 *
 * @param {import('./plantedFaults.mjs').PlantedFault} fault
 */
export async function findFault(fault) {
  sound ??= loadSources(SIMULATION);
  const faulty = loadSources(SIMULATION, { mutations: [fault] });
  const seeds = Array.from({ length: MOST_SEEDS }, (_, index) => index + 1);
  for (const seed of [fault.seed, ...seeds.filter(other => other !== fault.seed)]) {
    const failure = await faulty.playSeed(seed);
    if (failure && !(await sound.playSeed(seed))) {
      return { seed, rule: failure.rule };
    }
  }
  return undefined;
}
