/** How often the server is asked, in milliseconds. */
export const ACTIVE_MILLISECONDS = 15_000;
/** A release runs and no hint has ever come. */
export const ACTIVE_WITHOUT_HINTS_MILLISECONDS = 5_000;
export const IDLE_MILLISECONDS = 60_000;

export function pollInterval(active: boolean, live: boolean): number {
  if (!active) {
    return IDLE_MILLISECONDS;
  }
  return live ? ACTIVE_MILLISECONDS : ACTIVE_WITHOUT_HINTS_MILLISECONDS;
}
