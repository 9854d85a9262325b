import type { Outcome } from '../ports';

type Refusal = Exclude<Outcome, { result: 'done' }>;

/** Earlier ones say more: whoever lost the lease must not report a failure of the version. */
const RANK: Record<Refusal['result'], number> = {
  leaseLost: 0,
  changedSincePreview: 1,
  refused: 2,
  unreachable: 3,
  retry: 4,
};

/** One outcome for several that ended badly, with all messages of its kind; undefined where there is none. */
export function worstOutcome(outcomes: Refusal[]): Refusal | undefined {
  const [worst] = [...outcomes].sort((a, b) => RANK[a.result] - RANK[b.result]);
  if (!worst) {
    return undefined;
  }
  const messages = outcomes
    .filter(({ result }) => result === worst.result)
    .map(({ message }) => message);
  return { ...worst, message: [...new Set(messages)].join(' ') };
}
