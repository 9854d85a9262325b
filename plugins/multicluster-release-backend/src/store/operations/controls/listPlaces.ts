import type { Knex } from 'knex';

/** A service on a cluster: it runs there, or (with an id) a release has work left there. */
export interface Place {
  service: string;
  cluster: string;
  releaseId?: string;
}

/** Everything that an order for the fleet may reach, by our record. */
export async function listPlaces(database: Knex): Promise<Place[]> {
  const running = await database('running')
    .distinct<{ service: string; cluster: string }[]>('service', 'cluster')
    .orderBy(['service', 'cluster']);
  const working = await database('release_targets')
    .join('releases', 'releases.id', 'release_targets.release_id')
    .where('releases.needs_work', true)
    .distinct<Required<Place>[]>({
      service: 'releases.service',
      cluster: 'release_targets.cluster',
      releaseId: 'releases.id',
    })
    .orderBy(['releaseId', 'cluster']);
  return [...running, ...working];
}
