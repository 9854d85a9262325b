import { useState } from 'react';
import { keepOrder } from './laneOrder';

export interface SteadyOrder {
  order: string[];
  /** How many rows stand elsewhere than they should. */
  moved: number;
  apply: () => void;
}

/** Rows do not move away under a pointer or focus; the newest order waits until it leaves. */
export function useSteadyOrder(wanted: string[], held: boolean): SteadyOrder {
  const [kept, setKept] = useState<string[]>();
  // Holding begins with what is on the screen now, and ends without a trace.
  if (held && kept === undefined) {
    setKept(wanted);
  }
  if (!held && kept !== undefined) {
    setKept(undefined);
  }
  const order = held && kept ? keepOrder(kept, wanted) : wanted;
  return {
    order,
    moved: order.filter((key, position) => key !== wanted[position]).length,
    apply: () => setKept(wanted),
  };
}
