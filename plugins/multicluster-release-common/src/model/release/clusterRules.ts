import { listNames } from '../errors/listNames';
import { MAX_FAULTS } from '../errors/maxFaults';
import { isRecord, type Path } from '../errors/path';
import { nearest } from '../errors/nearest';
import { recordsOf, textsOf, type Report, type Unchecked } from '../primitives/withRules';

/** A cluster may be named twice only with different namespaces. */
export function distinctTargets({ clusters }: Unchecked, report: Report): void {
  const seen = new Set<string>();
  for (const { record, index } of recordsOf(clusters)) {
    const key = `${record.name}/${record.namespace}`;
    if (typeof record.name === 'string' && seen.has(key)) {
      report(
        ['clusters', index],
        `names ${record.name} with namespace ${record.namespace} a second time: take it out, or give another namespace`,
      );
    }
    seen.add(key);
  }
}

/** Where the document lists its clusters, the strategy can name no others. With a placement, the preview finds out. */
export function namedClustersAreTargets(spec: Unchecked, report: Report): void {
  const known = new Set(
    recordsOf(spec.clusters).flatMap(({ record }) =>
      typeof record.name === 'string' ? [record.name] : [],
    ),
  );
  if (known.size === 0) {
    return;
  }
  const unknown = namedInCanary(spec).filter(({ name }) => !known.has(name));
  for (const { name, path } of unknown.slice(0, MAX_FAULTS + 1)) {
    const message = `${name} is not among spec.clusters: ${listNames([...known])}`;
    report(path, message, nearest(name, known));
  }
}

function namedInCanary(spec: Unchecked): { name: string; path: Path }[] {
  const strategy = isRecord(spec.strategy) ? spec.strategy : {};
  const canary = isRecord(strategy.canary) ? strategy.canary : {};
  const listed = recordsOf(canary.clusters).flatMap(({ record, index }) =>
    typeof record.name === 'string'
      ? [{ name: record.name, path: ['strategy', 'canary', 'clusters', index, 'name'] }]
      : [],
  );
  const inSteps = recordsOf(canary.steps).flatMap(({ record, index }) =>
    textsOf(record.clusters).map(({ text, index: position }) => ({
      name: text,
      path: ['strategy', 'canary', 'steps', index, 'clusters', position],
    })),
  );
  return [...listed, ...inSteps];
}

/** The standby serves while the others go back: it cannot be one of them. */
export function standbyIsNoTarget(spec: Unchecked, report: Report): void {
  const strategy = isRecord(spec.strategy) ? spec.strategy : {};
  const rollback = isRecord(strategy.rollback) ? strategy.rollback : {};
  const standby = rollback.standbyCluster;
  if (
    standby !== undefined &&
    recordsOf(spec.clusters).some(({ record }) => record.name === standby)
  ) {
    report(
      ['strategy', 'rollback', 'standbyCluster'],
      `${standby} is also a target: the standby must be another cluster than those of the release`,
    );
  }
}
