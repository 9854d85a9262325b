import type { PhaseView, TargetView } from 'backstage-plugin-multicluster-release-common';

/** The time that all lanes share; epoch milliseconds. */
export interface Axis {
  from: number;
  to: number;
}

export interface Bar {
  name: PhaseView['name'];
  /** Per cent of the axis. */
  left: number;
  width: number;
}

/** From the first phase to the last end, or to now while something still runs. */
export function axisOf(targets: TargetView[], now: number, running: boolean): Axis | undefined {
  const phases = targets.flatMap(target => target.phases);
  if (phases.length === 0) {
    return undefined;
  }
  const from = Math.min(...phases.map(phase => phase.from));
  const open = running || phases.some(phase => phase.to === undefined);
  const last = Math.max(...phases.map(phase => phase.to ?? phase.from));
  return { from, to: Math.max(open ? Math.max(now, last) : last, from + 1_000) };
}

export function barsOf(phases: PhaseView[], axis: Axis): Bar[] {
  const share = (at: number) => ((at - axis.from) / (axis.to - axis.from)) * 100;
  return phases.map(phase => {
    const left = Math.min(100, Math.max(0, share(phase.from)));
    const right = Math.min(100, share(phase.to ?? axis.to));
    return { name: phase.name, left, width: Math.max(0, right - left) };
  });
}
