import {
  counted,
  type ContentRef,
  type Finding,
  type TargetKey,
} from 'backstage-plugin-multicluster-release-common';
import { contentDigest, type KubernetesObject } from 'backstage-plugin-multicluster-release-node';
import pLimit from 'p-limit';
import type { CommandContext } from '../../CommandContext';
import type { RenderedTarget } from '../renderTargets';
import { shortages, type Room } from './shortages';
import { surgeNeed, withSurgeAtMost } from './surge';

export interface RoomQuestion {
  rendered: RenderedTarget[];
  /** The policy lets maxSurge be lowered where there is no room. */
  adapt: boolean;
  /** What runs on each target, or will before this release. */
  expected: ReadonlyMap<TargetKey, ContentRef | undefined>;
}

export interface Fitted {
  rendered: RenderedTarget[];
  findings: Finding[];
}

type Context = Pick<CommandContext, 'prober' | 'readQuotas' | 'settings'>;

/** Clusters that are asked for their quotas at once. */
const CLUSTERS_AT_ONCE = 50;

/** How many sizes of the surge are tried between what is asked for and none. */
const SIZES = 16;

/**
 * Says where the pods of an update that come above the wanted number find no
 * room, and lowers maxSurge there where the policy lets us. Only for targets that
 * run something of ours and get something else: nothing surges elsewhere.
 *
 * Room is what nodes have less what pods ask for, summed over the cluster, and
 * what the quotas of the namespace leave; what is not known bounds nothing. A
 * target that runs the content in a lowered form already keeps it.
 */
export async function fitToRoom(context: Context, question: RoomQuestion): Promise<Fitted> {
  const limit = pLimit(CLUSTERS_AT_ONCE);
  const forms = new LoweredForms();
  const fitted = await Promise.all(
    question.rendered.map(each => limit(() => fitTarget(context, question, forms, each))),
  );
  return {
    rendered: fitted.map(({ rendered }) => rendered),
    findings: fitted.flatMap(({ finding }) => finding ?? []),
  };
}

async function fitTarget(
  context: Context,
  { adapt, expected }: RoomQuestion,
  forms: LoweredForms,
  rendered: RenderedTarget,
): Promise<{ rendered: RenderedTarget; finding?: Finding }> {
  const { target, objects } = rendered;
  const running = expected.get(target.key)?.digest;
  const view = context.prober.status(target.cluster);
  const nodes = view?.nodes?.total;
  const need = surgeNeed(objects, nodes);
  if (running === undefined || need.most === 0) {
    return { rendered };
  }
  const sizes = forms.of(objects, nodes, adapt ? need.most : undefined);
  const same = sizes.find(({ digest }) => digest === running);
  if (same) {
    return { rendered: { target, objects: same.objects } };
  }
  const rooms = await roomsOf(context, target, view);
  const short = shortages(need, rooms);
  if (short.length === 0) {
    return { rendered };
  }
  const fits = sizes.find(form => shortages(surgeNeed(form.objects, nodes), rooms).length === 0);
  const form = fits ?? (adapt ? sizes.at(-1) : undefined);
  return form
    ? {
        rendered: { target, objects: form.objects },
        finding: lowered(target.cluster, short, need.most, form.most),
      }
    : { rendered, finding: noRoom(target.cluster, short, need.pods) };
}

async function roomsOf(
  { readQuotas, settings }: Context,
  target: RenderedTarget['target'],
  view: ReturnType<CommandContext['prober']['status']>,
): Promise<Room[]> {
  if (view?.state !== 'ok') {
    return [];
  }
  const { capacity, requested } = view;
  const ofCluster: Room[] =
    capacity && requested
      ? [
          {
            where: 'the cluster',
            countsEnding: false,
            free: {
              cpu: Math.max(0, capacity.cpu - requested.cpu),
              memory: Math.max(0, capacity.memory - requested.memory),
              pods: Math.max(0, capacity.pods - requested.pods),
            },
          },
        ]
      : [];
  const signal = AbortSignal.timeout(settings.previewTimeoutSeconds * 1000);
  const quotas = (await readQuotas(target, signal)) ?? [];
  const ofQuotas = quotas.map(({ name, free }) => ({
    where: `quota ${name}`,
    free,
    countsEnding: true,
  }));
  return [...ofCluster, ...ofQuotas];
}

interface Form {
  objects: KubernetesObject[];
  digest: string;
  /** The largest surge of one workload. */
  most: number;
}

/** The forms that one content can take, made once for all targets that share it; the least lowered first. */
class LoweredForms {
  private readonly made = new Map<KubernetesObject[], Map<string, Form[]>>();

  /** @param most - the surge that is asked for; undefined: it may not be lowered */
  of(objects: KubernetesObject[], nodes: number | undefined, most: number | undefined): Form[] {
    const byNodes = this.made.get(objects) ?? new Map<string, Form[]>();
    this.made.set(objects, byNodes);
    const key = String(nodes);
    const forms = byNodes.get(key) ?? makeForms(objects, nodes, most);
    byNodes.set(key, forms);
    return forms;
  }
}

function makeForms(
  objects: KubernetesObject[],
  nodes: number | undefined,
  most: number | undefined,
): Form[] {
  const asked = { objects, digest: contentDigest(objects), most: most ?? 0 };
  if (most === undefined) {
    return [asked];
  }
  const step = Math.ceil(most / SIZES);
  const count = Math.ceil(most / step);
  const sizes = Array.from({ length: count }, (_, index) => Math.max(0, most - step * (index + 1)));
  return [
    asked,
    ...sizes.map(size => {
      const form = withSurgeAtMost(objects, size, nodes);
      return { objects: form, digest: contentDigest(form), most: size };
    }),
  ];
}

function noRoom(cluster: string, short: string[], pods: number): Finding {
  return {
    severity: 'warning',
    code: 'NoRoomForSurge',
    params: { cluster, pods, short: short.join('; ') },
    message: `${cluster}: the ${counted(
      pods,
      'pod',
    )} that an update brings above the wanted number need ${short.join(
      ' and ',
    )}: they may find no place. Lower maxSurge there, let the policy do it (adapt: true), or make room.`,
    cluster,
  };
}

function lowered(cluster: string, short: string[], from: number, to: number): Finding {
  return {
    severity: 'warning',
    code: 'SurgeLowered',
    params: { cluster, from, to, short: short.join('; ') },
    message: `${cluster}: maxSurge is lowered from ${from} to ${counted(
      to,
      'pod',
    )}, because the update would need ${short.join(' and ')}. Make room there to keep the surge.`,
    cluster,
  };
}
