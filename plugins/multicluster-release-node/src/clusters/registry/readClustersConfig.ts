import { ConfigReader, type Config } from '@backstage/config';
import { InputError } from '@backstage/errors';
import type {
  AllowedAccess,
  ClustersConfig,
  ConfiguredAccess,
  ConfiguredCluster,
  ProbeConfig,
} from './ClustersConfig';

const ROOT = 'multiclusterRelease';
const ACCESS_KINDS = ['kubeconfig', 'token', 'inCluster', 'kubernetesPlugin'] as const;

const DEFAULT_PROBE: ProbeConfig = {
  intervalSeconds: 15,
  timeoutSeconds: 5,
  usageIntervalSeconds: 120,
  startGraceSeconds: 0,
};

/**
 * Reads the clusters part of the configuration.
 *
 * @throws Error that names the key, for what is missing, of a wrong type or cannot be meant
 */
export function readClustersConfig(config: Config): ClustersConfig {
  const root = config.getOptionalConfig(ROOT);
  const kubeconfig = root?.getOptionalConfig('kubeconfig');
  return {
    clusters: readClusters(config),
    kubeconfig: kubeconfig && {
      path: kubeconfig.getString('path'),
      contexts: kubeconfig.getOptionalStringArray('contexts'),
      ignoreContextSuffixes: kubeconfig.getOptionalStringArray('ignoreContextSuffixes') ?? [],
    },
    kubernetesPlugin: root?.getOptionalBoolean('kubernetesPlugin') ?? false,
    allow: readAllow(root?.getOptionalConfig('allow')),
    probe: readProbe(root?.getOptionalConfig('probe')),
  };
}

/** Names of clusters may hold dots, so they cannot be part of a path of Config. */
function readClusters(config: Config): ConfiguredCluster[] {
  const key = `${ROOT}.clusters`;
  const all = config.getOptional(key) ?? {};
  if (!isObject(all)) {
    throw new InputError(`${key} must be an object with a key for each cluster`);
  }
  return Object.entries(all).map(([name, value]) => {
    // A key without a value is a cluster that another source brings and that is described no further.
    const described = value ?? {};
    if (!isObject(described)) {
      throw new InputError(`${key}.${name} must be an object`);
    }
    return readCluster(
      name,
      new ConfigReader(described, 'app-config', undefined, `${key}.${name}`),
    );
  });
}

function readCluster(name: string, config: Config): ConfiguredCluster {
  const position = config.getOptionalConfig('position');
  const access = config.getOptionalConfig('access');
  return {
    name,
    title: config.getOptionalString('title'),
    region: config.getOptionalString('region'),
    position: position && {
      latitude: readDegrees(name, position, 'latitude', 90),
      longitude: readDegrees(name, position, 'longitude', 180),
    },
    labels: readLabels(name, config.getOptional('labels')),
    groups: config.getOptionalStringArray('groups'),
    access: access && readAccess(name, access),
  };
}

function readDegrees(name: string, config: Config, key: string, limit: number): number {
  const degrees = config.getNumber(key);
  if (Math.abs(degrees) > limit) {
    throw new InputError(
      `${ROOT}.clusters.${name}.position.${key} is ${degrees}; give degrees from -${limit} to ${limit}`,
    );
  }
  return degrees;
}

function readLabels(name: string, value: unknown): Record<string, string> {
  const key = `${ROOT}.clusters.${name}.labels`;
  if (value === undefined) {
    return {};
  }
  if (!isObject(value)) {
    throw new InputError(`${key} must be an object of texts`);
  }
  const labels: Record<string, string> = {};
  for (const [label, text] of Object.entries(value)) {
    if (typeof text !== 'string') {
      throw new InputError(
        `${key}['${label}'] is ${JSON.stringify(text)}; put it in quotes, labels are texts`,
      );
    }
    labels[label] = text;
  }
  return labels;
}

function readAccess(name: string, config: Config): ConfiguredAccess {
  const given = ACCESS_KINDS.filter(kind => config.has(kind));
  const unknown = config.keys().filter(key => !ACCESS_KINDS.some(kind => kind === key));
  if (given.length !== 1 || unknown.length > 0) {
    throw new InputError(
      `${ROOT}.clusters.${name}.access names ${
        config.keys().join(', ') || 'nothing'
      }; give exactly one of ${ACCESS_KINDS.join(', ')}`,
    );
  }
  switch (given[0]) {
    case 'kubeconfig':
      return {
        type: 'kubeconfig',
        path: config.getString('kubeconfig.path'),
        context: config.getString('kubeconfig.context'),
      };
    case 'token':
      return readToken(config.getConfig('token'));
    case 'inCluster':
      requireTrue(name, config, 'inCluster');
      return { type: 'inCluster' };
    default:
      return { type: 'kubernetesPlugin', name: readPluginName(name, config) };
  }
}

function readToken(config: Config): ConfiguredAccess {
  return {
    type: 'token',
    server: config.getString('server'),
    tokenFile: config.getString('tokenFile'),
    caFile: config.getOptionalString('caFile'),
    caData: config.getOptionalString('caData'),
    tlsServerName: config.getOptionalString('tlsServerName'),
    insecureSkipTlsVerify: config.getOptionalBoolean('insecureSkipTlsVerify') ?? false,
  };
}

/** `kubernetesPlugin: true`, or `{name}` where that plugin calls the cluster otherwise. */
function readPluginName(name: string, config: Config): string {
  if (isObject(config.get('kubernetesPlugin'))) {
    return config.getString('kubernetesPlugin.name');
  }
  requireTrue(name, config, 'kubernetesPlugin');
  return name;
}

function requireTrue(name: string, config: Config, key: string): void {
  if (!config.getBoolean(key)) {
    throw new InputError(
      `${ROOT}.clusters.${name}.access.${key} can only be true; leave it out otherwise`,
    );
  }
}

function readAllow(config: Config | undefined): AllowedAccess {
  return {
    exec: config?.getOptionalStringArray('exec') ?? [],
    insecureTls: config?.getOptionalStringArray('insecureTls') ?? [],
    http: config?.getOptionalStringArray('http') ?? [],
  };
}

function readProbe(config: Config | undefined): ProbeConfig {
  const probe = { ...DEFAULT_PROBE };
  for (const key of [
    'intervalSeconds',
    'timeoutSeconds',
    'usageIntervalSeconds',
    'startGraceSeconds',
  ] as const) {
    const seconds = config?.getOptionalNumber(key) ?? probe[key];
    if (seconds < 0 || (seconds === 0 && key !== 'startGraceSeconds')) {
      throw new InputError(`${ROOT}.probe.${key} is ${seconds}; give seconds above 0`);
    }
    probe[key] = seconds;
  }
  return probe;
}

function isObject(
  value: unknown,
): value is Record<string, unknown> & Parameters<typeof Object.entries>[0] {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
