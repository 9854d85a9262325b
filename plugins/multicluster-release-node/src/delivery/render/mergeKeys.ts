/** How the entries of one list are told apart. */
export interface MergeKey {
  fields: readonly string[];
  /** What a field means where it is absent. */
  defaults?: Readonly<Record<string, unknown>>;
}

const NAME: MergeKey = { fields: ['name'] };
const TCP = { protocol: 'TCP' };

const CONTAINER_LISTS: ReadonlySet<string> = new Set([
  'containers',
  'initContainers',
  'ephemeralContainers',
]);

const OF_CONTAINER: Record<string, MergeKey> = {
  env: NAME,
  // A port number is used twice where TCP and UDP share it (C44).
  ports: { fields: ['containerPort', 'protocol'], defaults: TCP },
  volumeMounts: { fields: ['mountPath'] },
  volumeDevices: { fields: ['devicePath'] },
};

const OF_POD_SPEC: Record<string, MergeKey> = {
  containers: NAME,
  initContainers: NAME,
  ephemeralContainers: NAME,
  volumes: NAME,
  imagePullSecrets: NAME,
  hostAliases: { fields: ['ip'] },
  topologySpreadConstraints: { fields: ['topologyKey', 'whenUnsatisfiable'] },
  resourceClaims: NAME,
  schedulingGates: NAME,
};

const POD_SPEC_PATHS: Record<string, string> = {
  'apps/Deployment': 'spec.template.spec',
  'apps/StatefulSet': 'spec.template.spec',
  'apps/DaemonSet': 'spec.template.spec',
  'apps/ReplicaSet': 'spec.template.spec',
  'batch/Job': 'spec.template.spec',
  'batch/CronJob': 'spec.jobTemplate.spec.template.spec',
  '/Pod': 'spec',
  '/ReplicationController': 'spec.template.spec',
};

const OF_OBJECT: Record<string, Record<string, MergeKey>> = {
  '/Service': { 'spec.ports': { fields: ['port', 'protocol'], defaults: TCP } },
  '/ServiceAccount': { secrets: NAME, imagePullSecrets: NAME },
};

/**
 * The merge key of a list, from Kubernetes' own schemas; undefined for lists that
 * a patch replaces as a whole, among them every list of a custom kind.
 *
 * @param groupKind - for example `apps/Deployment`, `/Service`
 * @param path - keys from the object's root, without list positions
 */
export function mergeKeyOf(groupKind: string, path: readonly string[]): MergeKey | undefined {
  const whole = path.join('.');
  const ofObject = OF_OBJECT[groupKind]?.[whole];
  const podSpec = POD_SPEC_PATHS[groupKind];
  if (ofObject || podSpec === undefined || !whole.startsWith(`${podSpec}.`)) {
    return ofObject;
  }
  const [list, field, ...deeper] = whole.slice(podSpec.length + 1).split('.');
  if (field === undefined) {
    return OF_POD_SPEC[list];
  }
  return CONTAINER_LISTS.has(list) && deeper.length === 0 ? OF_CONTAINER[field] : undefined;
}
