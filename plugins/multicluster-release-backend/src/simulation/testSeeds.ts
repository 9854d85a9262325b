import { report, shrink } from './shrink';
import { playSeed } from './simulate';

const FIRST = Number(process.env.SIMULATION_FIRST ?? 1);
const SEEDS = Number(process.env.SIMULATION_SEEDS ?? 2_000);
/** More than this tell nothing new. */
const MOST_REPORTS = 2;

/** Every second seed from the first or the second on: one half for each of two workers. */
export function halfOfSeeds(half: 0 | 1): number[] {
  const seeds = Array.from({ length: SEEDS }, (_, index) => FIRST + index);
  return seeds.filter(seed => (seed - FIRST) % 2 === half);
}

/** Plays the seeds; answers the reports of the first that broke a rule, shrunk. */
export async function reportsOf(seeds: number[]): Promise<string[]> {
  const reports: string[] = [];
  for (const seed of seeds) {
    const failure = await playSeed(seed);
    if (failure) {
      reports.push(report(failure, await shrink(failure)));
    }
    if (reports.length === MOST_REPORTS) {
      break;
    }
  }
  return reports;
}
