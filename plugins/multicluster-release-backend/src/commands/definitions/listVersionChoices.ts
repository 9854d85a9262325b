import type { VersionChoice } from 'backstage-plugin-multicluster-release-common';
import type { Knex } from 'knex';
import { compare, valid } from 'semver';
import { findRunning, listHolds, listReleases } from '../../store';

export interface VersionQuestion {
  service: string;
  /** The service's documents. */
  documents: unknown[];
}

/** Versions that the template lists, and those that were released; newest first, what is no SemVer last. */
export async function listVersionChoices(
  database: Knex,
  { service, documents }: VersionQuestion,
): Promise<VersionChoice[]> {
  const { items: releases } = await listReleases(database, { services: [service], limit: 500 });
  const { items: holds } = await listHolds(database, { services: [service], limit: 500 });
  const running = await findRunning(database, service);
  const listed = new Set(documents.flatMap(listedVersions));
  const released = releases
    .filter(({ rolledBackFrom }) => rolledBackFrom === undefined)
    .map(({ targetVersion }) => targetVersion);
  return [...new Set([...listed, ...released])].sort(newestFirst).map(version => {
    const hold = holds.find(each => each.version === version);
    return {
      version,
      source: listed.has(version) ? 'list' : 'released',
      hold: hold && {
        id: hold.id,
        service,
        version,
        reason: hold.reason,
        releaseId: hold.releaseId,
        since: hold.since,
      },
      runningOn: running.filter(record => record.version === version).map(({ cluster }) => cluster),
    };
  });
}

function listedVersions(document: unknown): string[] {
  const { kind, spec } = document as { kind?: string; spec?: { versions?: { list?: unknown[] } } };
  return kind === 'ResourceTemplate'
    ? (spec?.versions?.list ?? []).map(version => String(version).replace(/^v(?=\d)/, ''))
    : [];
}

function newestFirst(a: string, b: string): number {
  const [left, right] = [valid(a), valid(b)];
  if (left && right) {
    return compare(right, left);
  }
  if (left || right) {
    return left ? -1 : 1;
  }
  return a < b ? 1 : -1;
}
