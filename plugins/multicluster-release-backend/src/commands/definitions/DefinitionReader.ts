import { isError } from '@backstage/errors';
import {
  getDefinition,
  listDefinitionRevisions,
  putDefinition,
  type DefinitionOwner,
  type DefinitionRecord,
} from '../../store';
import type { CommandContext, ServiceEntity } from '../CommandContext';
import { readDocuments } from '../documents/readDocuments';
import { readLocationRef, resolveLocation, type SourceLocation } from '../sources';
import { isLatestFrom } from './locationRevision';

/** A location is not read again before. */
const REREAD_MILLISECONDS = 30_000;

export interface ServiceDefinition {
  record: DefinitionRecord;
  /** What relative locations in it are relative to; undefined where it was sent. */
  base?: SourceLocation;
}

export interface CurrentDefinition {
  /** The newest revision; undefined: the service has no documents yet. */
  definition?: ServiceDefinition;
  /** Why the location could not be read; then `definition` is the last known one. */
  problem?: Error;
}

/**
 * The documents of services. Those at the entity's location are read at most
 * every 30 s and stored as a revision where they changed; the last revision
 * wins, whether it came from there or was sent.
 */
export class DefinitionReader {
  private readonly readings = new Map<string, { at: number; done: Promise<Error | undefined> }>();

  constructor(private readonly context: CommandContext) {}

  /** Never throws for a location that cannot be read: the last known documents are answered with the problem. */
  async current(entity: ServiceEntity): Promise<CurrentDefinition> {
    const problem =
      entity.location === undefined ? undefined : await this.readLocation(entity, entity.location);
    const { database, cipher } = this.context;
    const record = await getDefinition(database, { owner: ownerOf(entity) }, cipher);
    const base = record?.location === undefined ? undefined : readLocationRef(record.location);
    return { definition: record && { record, base }, problem };
  }

  /** @throws what made the location unreadable: nothing is planned on documents that may be old */
  async require(entity: ServiceEntity): Promise<ServiceDefinition | undefined> {
    const { definition, problem } = await this.current(entity);
    if (problem) {
      throw problem;
    }
    return definition;
  }

  private readLocation(entity: ServiceEntity, reference: string): Promise<Error | undefined> {
    const key = JSON.stringify([entity.ref, reference, entity.managedBy]);
    const known = this.readings.get(key);
    const now = this.context.now();
    if (known && now - known.at < REREAD_MILLISECONDS) {
      return known.done;
    }
    const done = this.store(entity, reference).then(
      () => undefined,
      error => (isError(error) ? (error as Error) : new Error('the location could not be read')),
    );
    this.readings.set(key, { at: now, done });
    return done;
  }

  private async store(entity: ServiceEntity, reference: string): Promise<void> {
    const { database, cipher, sources, settings, now } = this.context;
    const base = entity.managedBy === undefined ? undefined : readLocationRef(entity.managedBy);
    const place = resolveLocation(reference, base, settings.allowFileSources);
    const { text, revision } = await sources.readText(place);
    const location = `${place.type}:${place.target}`;
    const owner = ownerOf(entity);
    const { items } = await listDefinitionRevisions(database, owner, { limit: 50 });
    if (isLatestFrom(location, text, items)) {
      return;
    }
    const documents = readDocuments(text).map(({ json }) => json);
    await putDefinition(
      database,
      { owner, text, documents, location, commit: revision, author: 'system', now: now() },
      cipher,
    );
  }
}

export function ownerOf(entity: ServiceEntity): DefinitionOwner {
  return { scope: 'service', name: entity.ref };
}
