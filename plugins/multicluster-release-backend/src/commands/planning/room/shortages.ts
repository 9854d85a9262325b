import type { Amounts } from 'backstage-plugin-multicluster-release-node';
import type { SurgeNeed } from './surge';

/** Somewhere that bounds what pods may ask for. */
export interface Room {
  /** `the cluster`, or a quota by name. */
  where: string;
  /** An amount that is not known is left out. */
  free: Partial<Amounts>;
  /** Pods that are ending still count. */
  countsEnding: boolean;
}

/** Where something does not fit, with the numbers, for a person. Empty: it fits, as far as is known. */
export function shortages(need: SurgeNeed, rooms: Room[]): string[] {
  return rooms.flatMap(({ where, free, countsEnding }) =>
    AMOUNTS.flatMap(amount => {
      const left = free[amount];
      const asked = need[amount] + (countsEnding ? need.ending[amount] : 0);
      const told = countsEnding ? ' (with those that are ending)' : '';
      return left === undefined || asked <= left
        ? []
        : `${inWords(amount, asked)}${told} of ${inWords(amount, left)} that are free in ${where}`;
    }),
  );
}

const AMOUNTS: (keyof Amounts)[] = ['cpu', 'memory', 'pods'];

function inWords(amount: keyof Amounts, value: number): string {
  switch (amount) {
    case 'cpu':
      return `${round(value)} cores`;
    case 'memory':
      return `${round(value / 2 ** 30)} GiB`;
    default:
      return `${value} pods`;
  }
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
