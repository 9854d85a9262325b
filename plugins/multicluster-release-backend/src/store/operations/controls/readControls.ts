import type { Knex } from 'knex';
import { stopReaches } from '../../../controls/stopScope';
import type { ScopedCluster } from '../../../controls/stopScope';
import type { Controls, Cordon, StopOrder } from '../../../decide/types';
import { stopRecord } from '../../rows/stopRow';
import type { StopRow } from '../../rows/stopRow';
import { windowRecord } from '../../rows/windowRow';
import type { WindowRow } from '../../rows/windowRow';
import { listCordons } from '../cordons/listCordons';

export interface ControlsQuery {
  /** Entity ref. */
  service: string;
  /** Those of the release. */
  clusters: ScopedCluster[];
  /** Entity refs of the services that it depends on. */
  dependsOn: string[];
  /** Clusters of the release that the fleet no longer lists. */
  left: string[];
}

/**
 * What the platform's people have ordered, as it reaches one release. Read in
 * every turn: one statement says where there is anything at all, and only that
 * is read.
 */
export async function readControls(tx: Knex, query: ControlsQuery): Promise<Controls> {
  const ordered = await whatIsOrdered(tx);
  return {
    stops: ordered.stops ? await readStops(tx, query) : [],
    cordons: ordered.cordons ? await readCordons(tx, query) : {},
    windows: ordered.windows ? await readWindows(tx, query) : [],
    left: query.left,
    dependencies: query.dependsOn.length > 0 ? await readDependencies(tx, query.dependsOn) : [],
  };
}

/** PostgreSQL answers truths, SQLite 0 and 1. */
type Ordered = Record<'stops' | 'cordons' | 'windows', boolean | number>;

async function whatIsOrdered(tx: Knex): Promise<Ordered> {
  const [ordered] = await tx.select<Ordered[]>([
    tx.raw('exists ? as stops', [tx('stops').select('id').whereNull('lifted_at')]),
    tx.raw('exists ? as cordons', [tx('cordons').select('id').whereNull('lifted_at')]),
    tx.raw('exists ? as windows', [tx('windows').select('id').whereNull('removed_at')]),
  ]);
  return ordered;
}

async function readStops(tx: Knex, { service, clusters }: ControlsQuery): Promise<StopOrder[]> {
  const rows = await tx<StopRow>('stops').whereNull('lifted_at').orderBy(['created_at', 'id']);
  return rows.map(stopRecord).flatMap(({ id, by, reason, since, allowRollback, scope }) => {
    const reached = clusters
      .filter(cluster => stopReaches(scope, service, cluster))
      .map(({ name }) => name);
    return reached.length > 0 ? [{ id, by, reason, since, allowRollback, clusters: reached }] : [];
  });
}

async function readCordons(tx: Knex, { clusters }: ControlsQuery): Promise<Record<string, Cordon>> {
  const names = new Set(clusters.map(({ name }) => name));
  const cordons = (await listCordons(tx)).filter(({ cluster }) => names.has(cluster));
  return Object.fromEntries(
    cordons.map(({ cluster, by, reason, since }) => [cluster, { by, reason, since }]),
  );
}

async function readWindows(tx: Knex, { service }: ControlsQuery): Promise<Controls['windows']> {
  const rows = await tx<WindowRow>('windows').whereNull('removed_at').orderBy(['created_at', 'id']);
  return rows
    .map(windowRecord)
    .filter(({ services }) => services === undefined || services.includes(service))
    .map(({ spec }) => spec);
}

async function readDependencies(tx: Knex, services: string[]): Promise<Controls['dependencies']> {
  const rows = await tx('running')
    .select<{ service: string; cluster: string; namespace: string; version: string | null }[]>(
      'service',
      'cluster',
      'namespace',
      'version',
    )
    .whereIn('service', services)
    .orderBy(['service', 'cluster', 'namespace']);
  return rows.map(row => ({ ...row, version: row.version ?? undefined }));
}
