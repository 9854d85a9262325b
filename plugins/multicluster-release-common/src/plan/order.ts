import { counted } from '../status/counted';
import type { Finding } from '../status/findings';
import type { SelectedTarget } from './selectTargets';
import type { PlacementSpec, PolicySpec } from './spec';

export interface OrderedTargets {
  targets: SelectedTarget[];
  findings: Finding[];
}

/**
 * The order in which clusters are taken. `groups` is the selection's own: group
 * by group, then by name. `all` knows no groups: one list by name; a list that
 * the document writes out keeps its own order under both. By priority the lower
 * number goes first, ties by name, and what has no number last.
 */
export function orderTargets(
  targets: SelectedTarget[],
  order: PolicySpec['order'],
  placement: PlacementSpec['kind'],
): OrderedTargets {
  switch (order.by) {
    case 'priority':
      return byPriority(targets, order.label);
    case 'all':
      return {
        targets: placement === 'list' ? targets : [...targets].sort(byName),
        findings: [],
      };
    default:
      return { targets, findings: [] };
  }
}

function byPriority(targets: SelectedTarget[], label: string): OrderedTargets {
  const priority = ({ fleet }: SelectedTarget) => numberIn(fleet.labels[label]) ?? Infinity;
  const sorted = [...targets].sort((a, b) => {
    const [left, right] = [priority(a), priority(b)];
    return left === right ? byName(a, b) : left - right;
  });
  const wrong = [
    ...new Set(
      sorted
        .filter(({ fleet }) => fleet.labels[label] !== undefined && priorityIsMissing(fleet, label))
        .map(({ cluster, fleet }) => `${cluster} (${fleet.labels[label]})`),
    ),
  ];
  return { targets: sorted, findings: wrong.length === 0 ? [] : [noNumber(label, wrong)] };
}

function priorityIsMissing({ labels }: SelectedTarget['fleet'], label: string): boolean {
  return numberIn(labels[label]) === undefined;
}

function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}

function noNumber(label: string, clusters: string[]): Finding {
  const names = clusters.join(', ');
  return {
    severity: 'warning',
    code: 'PriorityIsNoNumber',
    params: { label, clusters: names, count: clusters.length },
    message: `Label ${label} holds no number on ${counted(
      clusters.length,
      'cluster',
    )}: ${names}. They go last, as those without it do. Give them a number.`,
    path: 'spec.policy.order.label',
  };
}

function byName(a: SelectedTarget, b: SelectedTarget): number {
  const [left, right] = [`${a.cluster} ${a.namespace}`, `${b.cluster} ${b.namespace}`];
  return left < right ? -1 : Number(left > right);
}
