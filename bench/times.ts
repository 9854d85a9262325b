/** Milliseconds of each round, by who took them. */
export type Times<Way extends string> = Record<Way, number[]>;

/** @returns milliseconds */
export async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** A line for each way, with its ratio to that of `base`. */
export function printTimes<Way extends string>(times: Times<Way>, base: Way): void {
  for (const [way, values] of Object.entries<number[]>(times)) {
    const range = `${Math.round(Math.min(...values))}–${Math.round(Math.max(...values))}`;
    const ratio = (median(values) / median(times[base])).toFixed(2);
    console.log(
      `${way.padEnd(10)} median ${Math.round(
        median(values),
      )} ms (${range}), ${ratio} × the ${base}`,
    );
  }
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
