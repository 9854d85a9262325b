import { useMemo, useState } from 'react';

export interface SteadyOrder {
  order: string[];
  /** How many rows stand elsewhere than they should. */
  moved: number;
  apply: () => void;
  /** For the element around the rows: while a pointer or the focus is in it, they stay. */
  holders: {
    onPointerEnter: () => void;
    onPointerLeave: () => void;
    onFocus: () => void;
    onBlur: () => void;
  };
}

/** Rows do not move away under a pointer or focus; the newest order waits until it leaves. */
export function useSteadyOrder(wanted: string[]): SteadyOrder {
  const [held, setHeld] = useState(false);
  const [kept, setKept] = useState<string[]>();
  const holders = useMemo(() => {
    const hold = () => setHeld(true);
    const letGo = () => setHeld(false);
    return { onPointerEnter: hold, onPointerLeave: letGo, onFocus: hold, onBlur: letGo };
  }, []);
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
    holders,
  };
}

/** The order that is on the screen, with what has left taken out and what has come put last. */
export function keepOrder(shown: string[], wanted: string[]): string[] {
  const there = new Set(wanted);
  const known = new Set(shown);
  return [...shown.filter(key => there.has(key)), ...wanted.filter(key => !known.has(key))];
}
