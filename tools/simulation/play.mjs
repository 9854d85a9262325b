/**
 * Plays a part of the seeds in a process of its own:
 * `play.mjs <first> <seeds> <part> <parts>`. Prints one line of JSON for each seed
 * that broke a rule, and one with the count now and then.
 */
import { loadSources, SIMULATION } from './loadSources.mjs';

const COUNT_EVERY = 50;

const [first, seeds, part, parts] = process.argv.slice(2).map(Number);
const { playSeed, report, shrink } = loadSources(SIMULATION);

let played = 0;
for (let seed = first + part; seed < first + seeds; seed += parts) {
  const failure = await playSeed(seed);
  if (failure) {
    const text = report(failure, await shrink(failure));
    console.log(JSON.stringify({ seed, rule: failure.rule, report: text }));
  }
  played += 1;
  if (played % COUNT_EVERY === 0 || seed + parts >= first + seeds) {
    console.log(JSON.stringify({ played }));
  }
}
