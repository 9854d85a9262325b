import { ConfigReader, type Config } from '@backstage/config';
import { InputError } from '@backstage/errors';
import { serverAddress } from './addresses';
import type { MetricsConfig, MetricServerConfig } from './MetricsConfig';

const ROOT = 'multiclusterRelease.metrics';
const HEADER_NAME = /^[a-z0-9!#$%&'*+.^_`|~-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e]+$/;

/**
 * Reads the measurements' part of the configuration.
 *
 * @throws InputError that names the key, and never what a secret one holds
 */
export function readMetricsConfig(config: Config): MetricsConfig {
  const root = config.getOptionalConfig(ROOT);
  const prometheus = root?.getOptionalConfig('prometheus');
  return {
    prometheus: prometheus && readServer(`${ROOT}.prometheus`, prometheus),
    clusters: readClusters(root?.getOptional('clusters')),
    allow: (root?.getOptionalStringArray('allow') ?? []).map((address, index) =>
      readAddress(`${ROOT}.allow[${index}]`, address),
    ),
    webAllow: (root?.getOptionalStringArray('web.allow') ?? []).map((host, index) =>
      readHost(`${ROOT}.web.allow[${index}]`, host),
    ),
  };
}

/** Names of clusters may hold dots, so they cannot be part of a path of Config. */
function readClusters(all: unknown = {}): ReadonlyMap<string, MetricServerConfig> {
  const key = `${ROOT}.clusters`;
  if (!isObject(all)) {
    throw new InputError(`app-config ${key} must be an object with a key for each cluster`);
  }
  return new Map(
    Object.entries(all).map(([name, value]) => {
      const own = `${key}.${name}`;
      const prometheus = isObject(value) ? value.prometheus : undefined;
      if (!isObject(prometheus)) {
        throw new InputError(`app-config ${own} must have prometheus: {address}`);
      }
      const place = `${own}.prometheus`;
      return [
        name,
        readServer(place, new ConfigReader(prometheus, 'app-config', undefined, place)),
      ];
    }),
  );
}

function readServer(place: string, config: Config): MetricServerConfig {
  const headers = readHeaders(`${place}.headers`, config.getOptional('headers'));
  const tokenFile = config.getOptionalString('tokenFile');
  if (tokenFile !== undefined && headers.authorization !== undefined) {
    throw new InputError(
      `app-config ${place} has both tokenFile and the header authorization; leave one out`,
    );
  }
  return {
    address: readAddress(`${place}.address`, config.getString('address')),
    headers,
    tokenFile,
    caFile: config.getOptionalString('caFile'),
  };
}

/** The address is not repeated: a wrong one may hold a credential. */
function readAddress(place: string, text: string): string {
  const read = serverAddress(text);
  if ('problem' in read) {
    throw new InputError(`app-config ${place} ${read.problem}`);
  }
  return read.address;
}

function readHost(place: string, text: string): string {
  const host = text.toLowerCase();
  const isHost = URL.canParse(`ftp://${host}`) && new URL(`ftp://${host}`).host === host;
  if (!isHost || host.includes('*')) {
    throw new InputError(
      `app-config ${place} is ${text}; write one host, or host:port, without scheme and path`,
    );
  }
  return host;
}

function readHeaders(place: string, value: unknown = {}): Record<string, string> {
  if (!isObject(value)) {
    throw new InputError(`app-config ${place} must be an object of texts`);
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, text]) => {
      const lower = name.toLowerCase();
      if (!HEADER_NAME.test(lower)) {
        throw new InputError(`app-config ${place} has a name that no header can have`);
      }
      if (typeof text !== 'string' || !HEADER_VALUE.test(text)) {
        throw new InputError(`app-config ${place}.${name} must be one line of plain text`);
      }
      return [lower, text];
    }),
  );
}

type JsonObject = Record<string, unknown> & ConstructorParameters<typeof ConfigReader>[0];

function isObject(value: unknown): value is JsonObject & object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
