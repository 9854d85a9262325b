import { ACTIVE_STATES } from 'backstage-plugin-multicluster-release-common';
import type { Knex } from 'knex';
import { findRunning, listReleases, loadRuns } from '../../store';
import { currentState, type CurrentState } from './currentState';

export async function readCurrent(database: Knex, service: string): Promise<CurrentState> {
  const { items: active } = await listReleases(database, {
    services: [service],
    states: ACTIVE_STATES,
    limit: 500,
  });
  const loaded = await loadRuns(
    database,
    active.map(({ id }) => id),
  );
  return currentState({
    running: await findRunning(database, service),
    active,
    runs: active.flatMap(({ id }) => loaded.get(id)?.run ?? []),
  });
}
