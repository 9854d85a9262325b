import {
  ACTIVE_STATES,
  type RunningVersion,
  type ServiceSummary,
} from 'backstage-plugin-multicluster-release-common';
import type { ServiceEntity } from '../../commands/CommandContext';
import type { ServiceDefinition } from '../../commands/definitions/DefinitionReader';
import { findRunning, listHolds, listReleases } from '../../store';
import type { HttpContext } from '../HttpContext';
import type { Viewer } from '../Viewer';
import { holdView } from '../views/holdView';
import { viewReleases } from './readRelease';
import { viewRunning } from './viewRunning';

/**
 * What a person sees first of a service. One bad cluster costs nobody else
 * anything (field case C40). `live`: watch what runs, for who looks at one service.
 */
export async function readSummary(
  context: HttpContext,
  viewer: Viewer,
  entity: ServiceEntity,
  { live }: { live: boolean },
): Promise<ServiceSummary> {
  const { database } = context.commands;
  const service = entity.ref;
  const running = await findRunning(database, service);
  const health = live ? context.live.latest(service, running) : undefined;
  const versions = await viewRunning(context, running, health);
  const [active] = (
    await listReleases(database, { services: [service], states: ACTIVE_STATES, limit: 500 })
  ).items.slice(-1);
  const { items: latest } = await listReleases(database, { services: [service], limit: 1 });
  const holds = await listHolds(database, { services: [service], limit: 500 });
  const { definition, problem } = await context.definitions.current(entity);
  const views = await viewReleases(context, viewer, [...(active ? [active] : []), ...latest]);
  return {
    service,
    versions,
    activeRelease: views.find(({ id }) => id === active?.id),
    lastRelease: views.find(({ id }) => id === latest[0]?.id),
    holds: holds.items.map(holdView),
    definition: definition && summarizeDefinition(definition),
    definitionProblem: problem?.message,
    clustersAnswered: answeredOf(versions),
  };
}

function answeredOf(versions: RunningVersion[]): ServiceSummary['clustersAnswered'] {
  const clusters = new Map(versions.map(({ cluster, clusterState }) => [cluster, clusterState]));
  return {
    answered: [...clusters.values()].filter(state => state === 'ok').length,
    total: clusters.size,
  };
}

function summarizeDefinition({ record }: ServiceDefinition): ServiceSummary['definition'] {
  const names = (kind: string) =>
    (record.documents as { kind?: string; metadata?: { name?: string } }[])
      .filter(document => document.kind === kind)
      .map(document => document.metadata?.name ?? '');
  return {
    revision: record.revision,
    location: record.location,
    templates: names('ResourceTemplate'),
    policies: names('DistributionPolicy'),
    placements: names('PlacementRule'),
    releases: names('ClusterRelease'),
  };
}
