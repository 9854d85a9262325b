import {
  cycleFrom,
  nearest,
  parseDocuments,
  placeWithout,
  type Dependency,
  type Finding,
  type FleetCluster,
  type ReleaseSpec,
  type SelectedTarget,
} from 'backstage-plugin-multicluster-release-common';
import { findRunning, getDefinition, listDefinitions, listServices, type Page } from '../../store';
import type { CommandContext } from '../CommandContext';

type Context = Pick<CommandContext, 'database' | 'cipher'>;

export interface DependencyQuestion {
  spec: ReleaseSpec;
  targets: SelectedTarget[];
  fleet: FleetCluster[];
}

/**
 * What is to be said of the services that this one needs: rings are refused,
 * names that nobody knows are told with the nearest known, and what does not run
 * now is what the release will wait for.
 */
export async function dependencyFindings(
  context: Context,
  { spec, targets, fleet }: DependencyQuestion,
): Promise<Finding[]> {
  const { dependsOn = [], service } = spec;
  if (dependsOn.length === 0) {
    return [];
  }
  const graph = await readGraph(context, service, dependsOn);
  const cycle = cycleFrom(service, graph);
  const findings = cycle ? [ringFinding(cycle)] : [];
  for (const [index, dependency] of dependsOn.entries()) {
    const path = `spec.dependsOn[${index}]`;
    const known = { documents: graph.has(dependency.service), targets, fleet };
    findings.push(...(await findingsOf(context, dependency, known, path)));
  }
  return findings;
}

/** Who needs whom, as far as it can be reached from here; services without stored documents are left out. */
async function readGraph(
  { database, cipher }: Context,
  service: string,
  dependsOn: Dependency[],
): Promise<Map<string, string[]>> {
  const graph = new Map([[service, dependsOn.map(one => one.service)]]);
  const waiting = [...(graph.get(service) ?? [])];
  const asked = new Set([service]);
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (asked.has(next)) {
      continue;
    }
    asked.add(next);
    const owner = { scope: 'service' as const, name: next };
    const record = await getDefinition(database, { owner }, cipher);
    if (record) {
      const needs = dependenciesIn(record.text);
      graph.set(next, needs);
      waiting.push(...needs);
    }
  }
  return graph;
}

function dependenciesIn(text: string): string[] {
  return parseDocuments(text).documents.flatMap(({ document }) =>
    document.kind === 'ResourceTemplate'
      ? (document.spec.dependsOn ?? []).map(({ service }) => service.toLowerCase())
      : [],
  );
}

function ringFinding(cycle: string[]): Finding {
  const ring = cycle.join(' → ');
  return {
    severity: 'error',
    code: 'DependencyCycle',
    params: { ring },
    message: `${ring}: these services would wait for each other. Take one of the dependencies out.`,
    path: 'spec.dependsOn',
  };
}

interface Known {
  /** There are documents of that service. */
  documents: boolean;
  targets: SelectedTarget[];
  fleet: FleetCluster[];
}

async function findingsOf(
  context: Context,
  dependency: Dependency,
  { documents, targets, fleet }: Known,
  path: string,
): Promise<Finding[]> {
  const unknown = unknownClusters(dependency, fleet, path);
  if (unknown.length > 0) {
    return unknown;
  }
  const running = await findRunning(context.database, dependency.service);
  if (running.length === 0 && !documents) {
    return [await unknownService(context, dependency.service, path)];
  }
  const missing = targets.flatMap(({ cluster }) => {
    const place = placeWithout(dependency, cluster, running);
    return place === undefined ? [] : [{ cluster, place }];
  });
  return missing.length === 0 ? [] : [missingFinding(dependency, missing, path)];
}

function unknownClusters({ on }: Dependency, fleet: FleetCluster[], path: string): Finding[] {
  const names = fleet.map(({ name }) => name);
  const named = Array.isArray(on) ? on : [];
  return named
    .filter(name => !names.includes(name))
    .map(cluster => ({
      severity: 'error',
      code: 'UnknownCluster',
      params: { cluster, known: names.join(', ') },
      message: `Cluster ${cluster} is not configured.${didYouMean(
        nearest(cluster, names),
      )} Name a cluster that is.`,
      path: `${path}.on`,
      cluster,
    }));
}

function didYouMean(suggestion: string | undefined): string {
  return suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
}

async function unknownService(context: Context, service: string, path: string): Promise<Finding> {
  const suggestion = nearest(service, await knownServices(context));
  return {
    severity: 'warning',
    code: 'UnknownService',
    params: { service, nearest: suggestion ?? '' },
    message: `${service} has no documents here and runs nowhere: the release would wait until it does.${didYouMean(
      suggestion,
    )} Correct the name, or release that service first.`,
    path: `${path}.service`,
  };
}

async function knownServices({ database }: Context): Promise<Set<string>> {
  const documented = await every(cursor =>
    listDefinitions(database, 'service', { cursor, limit: 500 }),
  );
  const released = await every(cursor => listServices(database, { cursor, limit: 500 }));
  return new Set([...documented.map(({ owner }) => owner.name), ...released]);
}

async function every<T>(read: (cursor: string | undefined) => Promise<Page<T>>): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return items;
}

function missingFinding(
  { service, version = 'any version' }: Dependency,
  missing: { cluster: string; place: string }[],
  path: string,
): Finding {
  const clusters = missing.map(({ cluster }) => cluster).join(', ');
  const places = [...new Set(missing.map(({ place }) => place))].join(', ');
  return {
    severity: 'info',
    code: 'DependencyMissing',
    params: { service, version, clusters, places, count: missing.length },
    message: `${service} (${version}) does not run on ${places} now: ${clusters} will wait for it.`,
    path,
  };
}
