import { useMemo, useState, type FocusEvent, type PointerEvent } from 'react';

export interface SteadyOrder {
  order: string[];
  /** How many rows stand elsewhere than they should. */
  moved: number;
  apply: () => void;
  /** For the element around the rows: while a pointer or the focus is in it, they stay. */
  holders: {
    onPointerEnter: () => void;
    onPointerLeave: (event: PointerEvent) => void;
    onFocus: () => void;
    onBlur: (event: FocusEvent) => void;
  };
}

/** Rows do not move away under a pointer or focus; the newest order waits until both are gone. */
export function useSteadyOrder(wanted: string[]): SteadyOrder {
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const [kept, setKept] = useState<string[]>();
  const held = pointed || focused;
  const holders = useMemo(
    () => ({
      onPointerEnter: () => setPointed(true),
      onPointerLeave: ({ currentTarget }: PointerEvent) => {
        setPointed(false);
        // A row that had the focus may have gone without a blur.
        setFocused(currentTarget.contains(document.activeElement));
      },
      onFocus: () => setFocused(true),
      // From row to row the focus stays in.
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) =>
        setFocused(currentTarget.contains(relatedTarget)),
    }),
    [],
  );
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
