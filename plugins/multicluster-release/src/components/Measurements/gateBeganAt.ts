import type {
  ReleaseView,
  StageView,
  WaitingCode,
} from 'backstage-plugin-multicluster-release-common';

/** What the gate of the current stage waits for from its beginning. */
const FROM_THE_BEGINNING: ReadonlySet<WaitingCode> = new Set([
  'metric',
  'metric.nodata',
  'metric.undecided',
]);

/** When the gate of a stage began, as far as what it waits for tells; epoch milliseconds. */
export function gateBeganAt(
  { index, gates }: StageView,
  { stage, waiting }: ReleaseView,
): number | undefined {
  if (stage?.index !== index) {
    return undefined;
  }
  const own = gates.find(({ code }) => code === 'soak' || code === 'promote');
  const measuring = waiting.find(({ code }) => FROM_THE_BEGINNING.has(code));
  return (measuring ?? own)?.since;
}
