import type { MetricRule } from 'backstage-plugin-multicluster-release-common';
import type { Random } from './random';
import type { ClusterDraft, Move } from './script';

const MINUTE = 60_000;

/** A measurement that is read every ten seconds. */
function drawMetric(random: Random): MetricRule {
  return {
    name: 'errors',
    provider: { kind: 'prometheus', query: 'errors' },
    limit: { max: 1 },
    intervalMilliseconds: 10_000,
    windowMilliseconds: 10_000,
    initialDelayMilliseconds: 10_000,
    failureLimit: random.pick([0, 0, 1]),
    consecutiveErrorLimit: 4,
    noData: 'hold',
    ...(random.chance(0.3) ? { count: random.between(1, 4) } : {}),
  };
}

/** In some worlds a step of the canaries is measured, and there are versions that read badly. */
export function withMetrics<M extends Move>(random: Random, moves: M[]): M[] {
  if (!random.chance(0.35)) {
    return moves;
  }
  return moves.map(move => {
    if (move.do !== 'start' || move.strategy.type !== 'Canary') {
      return move;
    }
    const chosen = random.between(0, move.strategy.steps.length - 1);
    const metrics = [drawMetric(random)];
    const steps = move.strategy.steps.map((step, index) =>
      index === chosen ? { ...step, metrics } : step,
    );
    return { ...move, strategy: { ...move.strategy, steps } };
  });
}

export function withSours(random: Random, clusters: ClusterDraft[]): ClusterDraft[] {
  const share = random.chance(0.25) ? 0.5 : 0;
  return clusters.map(cluster =>
    random.chance(share)
      ? { ...cluster, sours: [{ version: '2.0.0', after: random.between(0, 6 * MINUTE) }] }
      : cluster,
  );
}
