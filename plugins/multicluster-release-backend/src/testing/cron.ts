export const HOUR_MILLISECONDS = 3_600_000;

export function sinceNow(hours: number): Date {
  return new Date(Date.now() + hours * HOUR_MILLISECONDS);
}

/** Each day at this minute, in UTC. */
export function cronAt(time: Date): string {
  return `${time.getUTCMinutes()} ${time.getUTCHours()} * * *`;
}
