import type { KubernetesObject, Stamp } from '../../ports';
import { isSharedKind } from '../sharedKinds';
import { SERVICE_LABEL, STAMP_ANNOTATION, WEIGHT_STAMP_ANNOTATION } from '../names';
import { serviceLabel } from '../serviceLabel';
import { compareStamps, parseStamp } from '../stamp';
import { fieldManagerOf } from './fieldManager';
import { managedFieldsOf } from './managedFields';

interface Tool {
  name: string;
  annotations: string[];
  labels: string[];
  managers: string[];
}

/** How other tools mark what is theirs. A mark that only says who rendered a manifest is none. */
const TOOLS: readonly Tool[] = [
  {
    name: 'Helm',
    annotations: ['meta.helm.sh/release-name'],
    labels: [],
    managers: ['helm'],
  },
  {
    name: 'Argo CD',
    annotations: ['argocd.argoproj.io/tracking-id'],
    labels: ['argocd.argoproj.io/instance'],
    managers: ['argocd-controller'],
  },
  {
    name: 'Flux',
    annotations: [],
    labels: ['kustomize.toolkit.fluxcd.io/name', 'helm.toolkit.fluxcd.io/name'],
    managers: ['kustomize-controller', 'helm-controller'],
  },
];

/**
 * Who else a live object belongs to, in words; undefined where it is ours or nobody's.
 *
 * @example `Helm (meta.helm.sh/release-name: shop)`
 */
export function foreignOwner(live: KubernetesObject, service: string): string | undefined {
  return (
    otherService(live, service) ??
    TOOLS.map(tool => markOf(tool, live)).find(mark => mark !== undefined)
  );
}

/** True where somebody of the same service has written with a newer stamp, or taken pods for a weight. */
export function hasNewerStamp(live: KubernetesObject, stamp: Stamp): boolean {
  return [STAMP_ANNOTATION, WEIGHT_STAMP_ANNOTATION].some(annotation => {
    const text = live.metadata.annotations?.[annotation];
    const found = text === undefined ? undefined : parseStamp(text);
    return found?.service === stamp.service && compareStamps(found, stamp) > 0;
  });
}

/** True where the object still says that this service of ours brought it; shared kinds say so by field manager only. */
export function bearsOurMark(live: KubernetesObject, service: string): boolean {
  if (isSharedKind(live.kind)) {
    const manager = fieldManagerOf(live.kind, service);
    return managedFieldsOf(live).some(entry => entry.manager === manager);
  }
  const text = live.metadata.annotations?.[STAMP_ANNOTATION];
  return (
    live.metadata.labels?.[SERVICE_LABEL] === serviceLabel(service) ||
    (text !== undefined && parseStamp(text)?.service === service)
  );
}

function otherService(live: KubernetesObject, service: string): string | undefined {
  if (isSharedKind(live.kind)) {
    return undefined;
  }
  const text = live.metadata.annotations?.[STAMP_ANNOTATION];
  if (text !== undefined) {
    const stamp = parseStamp(text);
    return stamp?.service === service ? undefined : `service ${stamp?.service ?? text}`;
  }
  const label = live.metadata.labels?.[SERVICE_LABEL];
  return label === undefined || label === serviceLabel(service)
    ? undefined
    : `another service (${SERVICE_LABEL}: ${label})`;
}

function markOf(tool: Tool, live: KubernetesObject): string | undefined {
  const { annotations = {}, labels = {} } = live.metadata;
  const annotation = tool.annotations.find(key => annotations[key] !== undefined);
  const label = tool.labels.find(key => labels[key] !== undefined);
  const manager = managedFieldsOf(live).find(entry =>
    tool.managers.includes(entry.manager),
  )?.manager;
  if (annotation) {
    return `${tool.name} (${annotation}: ${annotations[annotation]})`;
  }
  if (label) {
    return `${tool.name} (${label}: ${labels[label]})`;
  }
  return manager ? `${tool.name} (field manager ${manager})` : undefined;
}
