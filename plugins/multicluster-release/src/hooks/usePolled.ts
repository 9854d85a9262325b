import { useCallback, useEffect, useRef, useState } from 'react';

/** Hints may come in bursts; the server is asked at most this often. */
const LEAST_GAP_MILLISECONDS = 1_000;

export interface Polled<T> {
  /** The newest answer; kept while a later request runs or fails. */
  value?: T;
  /** Why the newest request failed; undefined once one succeeded. */
  error?: unknown;
  /** True only while there is neither an answer nor an error. */
  loading: boolean;
  /** Browser clock, epoch milliseconds, of the newest answer. */
  updatedAt?: number;
  /** Asks now; resolves when the answer is there. */
  refresh: () => Promise<void>;
}

interface State<T> {
  subject: string;
  value?: T;
  error?: unknown;
  updatedAt?: number;
}

export interface PollOptions<T> {
  /** What is asked for; another subject starts anew. Undefined: nothing is asked. */
  subject: string | undefined;
  load: () => Promise<T>;
  /** How long to wait after an answer, given that answer. */
  interval: (value: T | undefined) => number;
  /** Any change of it is a hint that there is news. */
  hint?: unknown;
}

/**
 * Keeps an answer of the server current: asks again after each interval, at
 * once on a hint and when the page is looked at again, and never while it is
 * hidden. The previous answer stays until a newer one is there.
 */
export function usePolled<T>(options: PollOptions<T>): Polled<T> {
  const { subject, hint } = options;
  const [state, setState] = useState<State<T>>({ subject: subject ?? '' });
  const latest = useRef(options);
  latest.current = options;
  const queue = useRef<{ subject?: string; running?: Promise<void>; queued?: Promise<void> }>({});
  const lastAskedAt = useRef(0);

  const ask = useCallback(async () => {
    const { subject: asked, load } = latest.current;
    if (asked === undefined) {
      return;
    }
    lastAskedAt.current = Date.now();
    const next = await settle(load);
    if (latest.current.subject === asked) {
      setState(previous => merge(previous, asked, next));
    }
  }, []);

  // What is on its way may have left before the change that the caller wants to
  // see; so a refresh waits for it and asks again, once for all who wait.
  const refresh = useCallback((): Promise<void> => {
    if (queue.current.subject !== latest.current.subject) {
      queue.current = { subject: latest.current.subject };
    }
    const mine = queue.current;
    mine.queued ??= (mine.running ?? Promise.resolve()).then(() => {
      mine.running = mine.queued;
      mine.queued = undefined;
      return ask();
    });
    return mine.queued;
  }, [ask]);

  usePollTimer({ subject, state, latest, refresh });
  useHint({ hint, subject, lastAskedAt, refresh });

  const current: State<T> = state.subject === subject ? state : { subject: subject ?? '' };
  return {
    value: current.value,
    error: current.error,
    updatedAt: current.updatedAt,
    loading: subject !== undefined && current.value === undefined && current.error === undefined,
    refresh,
  };
}

type Settled<T> = { ok: true; value: T } | { ok: false; error: unknown };

async function settle<T>(load: () => Promise<T>): Promise<Settled<T>> {
  try {
    return { ok: true, value: await load() };
  } catch (error) {
    return { ok: false, error };
  }
}

function merge<T>(previous: State<T>, subject: string, next: Settled<T>): State<T> {
  const kept = previous.subject === subject ? previous : { subject };
  return next.ok
    ? { subject, value: next.value, updatedAt: Date.now() }
    : { ...kept, error: next.error };
}

function usePollTimer<T>(options: {
  subject: string | undefined;
  state: State<T>;
  latest: { current: PollOptions<T> };
  refresh: () => Promise<void>;
}) {
  const { subject, state, latest, refresh } = options;
  useEffect(() => {
    if (subject !== undefined) {
      refresh();
    }
  }, [subject, refresh]);

  useEffect(() => {
    const answered = state.subject === subject && (state.updatedAt ?? state.error) !== undefined;
    if (!answered) {
      return undefined;
    }
    const timer = setTimeout(() => {
      if (!document.hidden) {
        refresh();
      }
    }, latest.current.interval(state.value));
    return () => clearTimeout(timer);
  }, [state, subject, latest, refresh]);

  useEffect(() => {
    const onLook = () => {
      if (!document.hidden && latest.current.subject !== undefined) {
        refresh();
      }
    };
    document.addEventListener('visibilitychange', onLook);
    window.addEventListener('focus', onLook);
    return () => {
      document.removeEventListener('visibilitychange', onLook);
      window.removeEventListener('focus', onLook);
    };
  }, [latest, refresh]);
}

function useHint(options: {
  hint: unknown;
  subject: string | undefined;
  lastAskedAt: { current: number };
  refresh: () => Promise<void>;
}) {
  const { hint, subject, lastAskedAt, refresh } = options;
  useEffect(() => {
    if (hint === undefined || hint === null || subject === undefined) {
      return undefined;
    }
    const sinceLast = Date.now() - lastAskedAt.current;
    const timer = setTimeout(refresh, Math.max(0, LEAST_GAP_MILLISECONDS - sinceLast));
    return () => clearTimeout(timer);
    // Only a new hint asks; a new subject is asked for by itself.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [hint]);
}
