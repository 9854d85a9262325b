import type { ReleaseRun } from '../decide';

export const waitsFor = (code: string) => (run: ReleaseRun) =>
  run.waiting.some(waiting => waiting.code === code);

export const waitsAt =
  (stage: number, code = 'promote') =>
  (run: ReleaseRun) =>
    run.stage === stage && waitsFor(code)(run);

export const states = ({ targets }: ReleaseRun) => targets.map(({ state }) => state);
