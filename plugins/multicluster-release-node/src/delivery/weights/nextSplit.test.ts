import fc from 'fast-check';
import { podCounts, type PodSplit } from 'backstage-plugin-multicluster-release-common';
import { nextSplit, type Weighed } from './weighing';

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', generation: 1 },
};

/** So many new pods are there and ready. */
function weighed(
  [replicas, surge, unavailable]: number[],
  ready: number,
  more: Partial<Weighed> = {},
): Weighed {
  const copy = {
    ...deployment,
    status: { observedGeneration: 1, availableReplicas: ready, updatedReplicas: ready },
  };
  const room = { replicas, surge };
  return { deployment, stable: deployment, copy, room, unavailable, autoscaled: false, ...more };
}

/** Every split on the way, each as soon as the new pods of the one before are ready. */
function way(room: number[], split: PodSplit): PodSplit[] {
  const all: PodSplit[] = [];
  let ready = 0;
  do {
    all.push(nextSplit(weighed(room, ready), split));
    ready = all[all.length - 1].canary;
  } while (ready < split.canary || all[all.length - 1].stable !== split.stable);
  return all;
}

const told = (splits: PodSplit[]) => splits.map(({ canary, stable }) => `${canary}+${stable}`);

describe('nextSplit', () => {
  it.each<[string, number[], PodSplit, string[]]>([
    ['at once where one may be missing', [4, 1, 1], { canary: 1, stable: 3 }, ['1+3']],
    ['new pods first, where none may', [4, 1, 0], { canary: 2, stable: 2 }, ['1+4', '2+3', '2+2']],
    [
      'running pods first, where none may be above',
      [4, 0, 1],
      { canary: 2, stable: 2 },
      ['1+3', '2+2'],
    ],
    ['as far as both go', [8, 2, 2], { canary: 6, stable: 2 }, ['4+6', '6+2']],
    ['the only pod', [1, 0, 1], { canary: 1, stable: 0 }, ['1+0']],
  ])('%s', (_name, room, split, expected) => {
    expect(told(way(room, split))).toEqual(expected);
  });

  it('counts no pod that the controller has not looked at, and leaves what an autoscaler counts', () => {
    const split = { canary: 2, stable: 2 };
    const unseen = { ...deployment, metadata: { name: 'web', generation: 2 } };
    const status = { observedGeneration: 1, availableReplicas: 9, updatedReplicas: 9 };
    const old = weighed([4, 1, 0], 0, { copy: { ...unseen, status } });
    expect(nextSplit(old, split)).toEqual({ canary: 1, stable: 4 });
    expect(nextSplit(weighed([4, 1, 0], 0, { copy: undefined }), split)).toEqual({
      canary: 1,
      stable: 4,
    });
    const beside = { canary: 2, stable: 4 };
    expect(nextSplit(weighed([4, 2, 0], 0, { autoscaled: true }), beside)).toEqual(beside);
  });

  it('gets to every split, with never too many pods and never too few that are ready', () => {
    const rooms = fc
      .tuple(fc.integer({ min: 1, max: 20 }), fc.nat(8), fc.nat(8))
      .map(([replicas, surge, unavailable]) => [
        replicas,
        surge,
        Math.min(replicas, surge + unavailable === 0 ? 1 : unavailable),
      ]);
    fc.assert(
      fc.property(rooms, fc.integer({ min: 1, max: 99 }), (room, weight) => {
        const [replicas, surge, unavailable] = room;
        const split = podCounts({ replicas, surge }, weight);
        fc.pre(split.canary > 0);
        const splits = way(room, split);
        expect(splits.at(-1)).toEqual(split);
        splits.forEach(({ canary, stable }, index) => {
          expect(canary + stable).toBeLessThanOrEqual(replicas + surge);
          expect(stable + (splits[index - 1]?.canary ?? 0)).toBeGreaterThanOrEqual(
            replicas - unavailable,
          );
        });
      }),
    );
  });
});
