import type { ClusterView } from 'backstage-plugin-multicluster-release-common';
import {
  contentDigest,
  type KubernetesObject,
  type QuotaRoom,
} from 'backstage-plugin-multicluster-release-node';
import type { CommandContext } from '../../CommandContext';
import type { Settings } from '../../../config/settings';
import { fitToRoom } from './fitToRoom';

const GIB = 2 ** 30;

function workload(kind: string, replicas: number | undefined, rollingUpdate?: object) {
  const field = kind === 'Deployment' ? 'strategy' : 'updateStrategy';
  const resources = { requests: { cpu: '500m', memory: '1Gi' } };
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      ...(replicas !== undefined && { replicas }),
      ...(rollingUpdate && { [field]: { rollingUpdate } }),
      template: { spec: { containers: [{ name: 'main', resources }] } },
    },
  } satisfies KubernetesObject;
}

interface World {
  objects?: KubernetesObject[];
  free?: { cpu: number; memory: number; pods: number };
  nodes?: number;
  state?: ClusterView['state'];
  quotas?: QuotaRoom[];
  adapt?: boolean;
  /** Content that runs there; undefined: nothing of ours. */
  running?: string;
}

async function fit({
  objects = [workload('Deployment', 4, { maxSurge: '50%', maxUnavailable: 0 })],
  free,
  nodes = 3,
  state = 'ok',
  quotas,
  adapt = false,
  running = 'old',
}: World) {
  const requested = { cpu: 10, memory: 20 * GIB, pods: 30 };
  const view: ClusterView = {
    name: 'cluster-a',
    labels: {},
    state,
    nodes: { ready: nodes, total: nodes },
    ...(free && {
      requested,
      capacity: {
        cpu: requested.cpu + free.cpu,
        memory: requested.memory + free.memory,
        pods: requested.pods + free.pods,
      },
    }),
  };
  const context: Pick<CommandContext, 'prober' | 'readQuotas' | 'settings'> = {
    prober: { all: () => [view], status: () => view },
    readQuotas: async () => quotas,
    settings: { previewTimeoutSeconds: 5 } as Settings,
  };
  const key = 'cluster-a/shop';
  const target = {
    key,
    cluster: 'cluster-a',
    namespace: 'shop',
    fleet: { name: 'cluster-a', labels: {} },
  };
  const ref = running === 'none' ? undefined : { digest: running, version: '1.0.0' };
  const { rendered, findings } = await fitToRoom(context, {
    rendered: [{ target, objects }],
    adapt,
    expected: new Map([[key, ref]]),
  });
  const [object] = rendered[0].objects;
  const { strategy, updateStrategy } = object.spec as {
    strategy?: { rollingUpdate?: object };
    updateStrategy?: { rollingUpdate?: object };
  };
  return {
    rolling: (strategy ?? updateStrategy)?.rollingUpdate,
    findings: findings.map(({ code, message }) => `${code} ${message}`),
    rendered,
  };
}

const ROOMY = { cpu: 8, memory: 8 * GIB, pods: 8 };
const ASKED = { maxSurge: '50%', maxUnavailable: 0 };

describe('fitToRoom', () => {
  // prettier-ignore
  it.each<[string, World]>([
    ['there is room', { free: ROOMY }],
    ['it just fits', { free: { cpu: 1, memory: 2 * GIB, pods: 2 } }],
    ['nothing is known of the room', {}],
    ['the cluster does not answer', { free: { ...ROOMY, pods: 0 }, state: 'unreachable' }],
    ['nothing of ours runs there', { free: { ...ROOMY, pods: 0 }, running: 'none' }],
    ['a quota does not bound it', { free: ROOMY, quotas: [{ name: 'team', free: {} }] }],
  ])('says nothing where %s', async (_name, world) => {
    expect(await fit(world)).toMatchObject({ rolling: ASKED, findings: [] });
  });

  // prettier-ignore
  it.each<[string, World, string]>([
    ['cores', { free: { ...ROOMY, cpu: 0.75 } }, '1 cores of 0.75 cores that are free in the cluster'],
    ['memory', { free: { ...ROOMY, memory: 1.5 * GIB } }, '2 GiB of 1.5 GiB that are free in the cluster'],
    ['pods', { free: { ...ROOMY, pods: 1 } }, '2 pods of 1 pods that are free in the cluster'],
    ['pods of a quota', { free: ROOMY, quotas: [{ name: 'team', free: { pods: 1 } }] }, '4 pods (with those that are ending) of 1 pods that are free in quota team'],
  ])('says with numbers that there is no room: %s', async (_name, world, short) => {
    const { rolling, findings } = await fit(world);
    expect(rolling).toEqual(ASKED);
    expect(findings).toEqual([
      `NoRoomForSurge cluster-a: the 2 pods that an update brings above the wanted number need ${short}: they may find no place. Lower maxSurge there, let the policy do it (adapt: true), or make room.`,
    ]);
  });

  it('lowers the surge as far as it must, where the policy says so', async () => {
    const { rolling, findings } = await fit({ free: { ...ROOMY, cpu: 0.75 }, adapt: true });
    expect(rolling).toEqual({ maxSurge: 1, maxUnavailable: 0 });
    expect(findings).toEqual([
      'SurgeLowered cluster-a: maxSurge is lowered from 2 to 1 pod, because the update would need 1 cores of 0.75 cores that are free in the cluster. Make room there to keep the surge.',
    ]);
  });

  it('lets one pod be unavailable where no surge is left (C29)', async () => {
    const { rolling } = await fit({ free: { ...ROOMY, pods: 0 }, adapt: true });
    expect(rolling).toEqual({ maxSurge: 0, maxUnavailable: 1 });
  });

  it('leaves room in a quota for pods that are ending', async () => {
    const quotas = [{ name: 'team', free: { pods: 3 } }];
    const { rolling } = await fit({ free: ROOMY, quotas, adapt: true });
    expect(rolling).toEqual({ maxSurge: 1, maxUnavailable: 0 });
  });

  it('lowers the surge to none where not even that is enough', async () => {
    const quotas = [{ name: 'team', free: { pods: 0 } }];
    const { rolling, findings } = await fit({ free: ROOMY, quotas, adapt: true });
    expect(rolling).toEqual({ maxSurge: 0, maxUnavailable: 1 });
    expect(findings[0]).toContain('SurgeLowered cluster-a: maxSurge is lowered from 2 to 0');
  });

  it('counts a DaemonSet by nodes, and all workloads together', async () => {
    const daemon = workload('DaemonSet', undefined, { maxSurge: 1, maxUnavailable: 0 });
    const objects = [daemon, workload('Deployment', 4, { maxSurge: 1 })];
    const { findings } = await fit({ objects, free: { ...ROOMY, pods: 1 } });
    expect(findings[0]).toContain('the 2 pods');
    const lowered = await fit({ objects, free: { ...ROOMY, pods: 1 }, adapt: true });
    expect(lowered.rolling).toEqual({ maxSurge: 0, maxUnavailable: 1 });
  });

  it('keeps what runs already, lowered or not, whatever the room is now', async () => {
    const first = await fit({ free: { ...ROOMY, pods: 1 }, adapt: true });
    const running = contentDigest(first.rendered[0].objects);
    const again = await fit({ free: ROOMY, adapt: true, running });
    expect(contentDigest(again.rendered[0].objects)).toBe(running);
    expect(again.findings).toEqual([]);
  });

  it('has a form that fits for every number of pods', async () => {
    for (const pods of [0, 1, 17, 60, 99]) {
      const objects = [workload('Deployment', 100, { maxSurge: '100%', maxUnavailable: 0 })];
      const free = { cpu: 1000, memory: 1000 * GIB, pods };
      const { rolling } = await fit({ objects, free, adapt: true });
      expect((rolling as { maxSurge: number }).maxSurge).toBeLessThanOrEqual(pods);
    }
  });
});
