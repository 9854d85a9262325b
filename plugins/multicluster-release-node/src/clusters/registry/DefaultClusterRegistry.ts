import type { LoggerService } from '@backstage/backend-plugin-api';
import { NotFoundError } from '@backstage/errors';
import { HttpClusterClient } from '../HttpClusterClient';
import type { Timing } from '../Timing';
import { RefusingTransport } from '../transport/RefusingTransport';
import { SwitchableTransport } from '../transport/SwitchableTransport';
import type { Transport } from '../transport/types';
import type { ClusterClient, ClusterRegistry, ListedClusters } from '../types';
import type { ConfiguredCluster } from './ClustersConfig';
import { mergeDefinitions } from './mergeDefinitions';
import {
  combineListings,
  confirmEmptyListing,
  trustListing,
  type SourceAnswer,
  type SourceListing,
} from './trustListing';
import type {
  ClusterAccess,
  ClusterDefinition,
  ClusterRefusal,
  ClusterSourceReader,
} from './types';

const REFRESH_MILLISECONDS = 60_000;
const REFRESH_WITH_PROBLEM_MILLISECONDS = 5_000;

export interface DefaultClusterRegistryOptions {
  /** Described in app-config, with or without an access of their own. */
  configured: ConfiguredCluster[];
  /** The first that names a cluster wins. */
  sources: ClusterSourceReader[];
  makeTransport(cluster: string, access: ClusterAccess): Transport;
  timing: Timing;
  logger: Pick<LoggerService, 'error' | 'warn'>;
  /** What sources listed before; undefined: every start begins without. */
  memory?: ListingMemory;
  /** Told once of every configuration that is not followed (C15). */
  onRefusal(refusal: ClusterRefusal): void;
}

/**
 * Remembers what each source listed last, beyond this process, so that a list
 * which is empty right after a start is seen to be suddenly empty, too (C07).
 */
export interface ListingMemory {
  /** Clusters by name; undefined: it has never listed any. */
  recall(source: string): Promise<string[] | undefined>;
  /** An empty list is one that a person has confirmed. */
  remember(source: string, clusters: string[]): Promise<void>;
}

interface KnownCluster {
  definition: ClusterDefinition;
  accessKey: string;
  transport: SwitchableTransport;
  client: HttpClusterClient;
}

/** Clusters from several sources, each with a client that stays the same while its name does. */
export class DefaultClusterRegistry implements ClusterRegistry {
  private readonly listings: SourceListing<ClusterDefinition>[];
  private readonly known = new Map<string, KnownCluster>();
  private readonly callbacks = new Set<() => void>();
  private readonly toldRefusals = new Map<string, string>();
  private toldFingerprint = '';
  private recalled = false;
  /** By source: what the memory holds. */
  private readonly rememberedAs: (string | undefined)[] = [];
  private refreshing: Promise<void> | undefined;
  private cancelRefresh: () => void = () => {};
  private closed = false;

  constructor(private readonly options: DefaultClusterRegistryOptions) {
    this.listings = options.sources.map(source => ({
      items: [],
      problem: 'listing-failed',
      message: `${source.description} has not been listed yet`,
    }));
  }

  list(): ListedClusters {
    const clusters = [...this.known.values()].map(known => known.definition.info);
    return { clusters, ...combineListings(this.listings) };
  }

  get(name: string): ClusterClient {
    const known = this.known.get(name);
    if (!known) {
      const names = [...this.known.keys()].join(', ') || 'none';
      throw new NotFoundError(`${name}: there is no such cluster. Known are: ${names}`);
    }
    return known.client;
  }

  /** Reads the sources now, and again from time to time until closed. */
  refresh(): Promise<void> {
    this.refreshing ??= this.readSources().finally(() => {
      this.refreshing = undefined;
    });
    return this.refreshing;
  }

  confirmEmpty(): void {
    const now = this.options.timing.now();
    this.listings.forEach((listing, index) => {
      this.listings[index] = confirmEmptyListing(listing, now);
    });
    this.settle();
    void this.remember();
  }

  onChange(callback: () => void): () => void {
    const own = () => callback();
    this.callbacks.add(own);
    return () => {
      this.callbacks.delete(own);
    };
  }

  async close(): Promise<void> {
    this.closed = true;
    this.cancelRefresh();
    this.callbacks.clear();
    await Promise.all([...this.known.values()].map(known => known.client.close()));
  }

  private async readSources(): Promise<void> {
    this.cancelRefresh();
    const { sources, timing } = this.options;
    const problem = await this.recall();
    const answers = await Promise.all(
      sources.map(source => (problem ? { error: problem } : readSource(source))),
    );
    if (this.closed) {
      return;
    }
    answers.forEach((answer, index) => {
      const { description } = sources[index];
      this.listings[index] = trustListing(this.listings[index], answer, description, timing.now());
    });
    this.settle();
    await this.remember();
    this.scheduleRefresh();
  }

  /** Once, before the first answer. Where it cannot be read no answer can be trusted yet: says why. */
  private async recall(): Promise<string | undefined> {
    const { memory, sources } = this.options;
    if (!memory || this.recalled) {
      return undefined;
    }
    try {
      const names = await Promise.all(sources.map(source => memory.recall(source.description)));
      names.forEach((known, index) => {
        this.listings[index].remembered = known?.length;
        this.rememberedAs[index] = JSON.stringify(known);
      });
      this.recalled = true;
      return undefined;
    } catch (error) {
      this.options.logger.warn('what was listed before could not be read', asError(error));
      return 'what it listed before could not be read';
    }
  }

  private async remember(): Promise<void> {
    const { memory, sources } = this.options;
    for (const [index, { items, problem }] of this.listings.entries()) {
      const names = items.map(({ info }) => info.name).sort();
      const text = JSON.stringify(names);
      if (!memory || problem !== undefined || this.rememberedAs[index] === text) {
        continue;
      }
      try {
        await memory.remember(sources[index].description, names);
        this.rememberedAs[index] = text;
      } catch (error) {
        this.options.logger.warn('what was listed could not be kept', asError(error));
      }
    }
  }

  private scheduleRefresh(): void {
    const { timing } = this.options;
    const period = this.list().problem ? REFRESH_WITH_PROBLEM_MILLISECONDS : REFRESH_MILLISECONDS;
    this.cancelRefresh = timing.after(period * (1 - timing.random() / 4), () => {
      void this.refresh();
    });
  }

  /** Brings the clients in line with the listings, and tells who listens. */
  private settle(): void {
    const definitions = mergeDefinitions(
      this.options.configured,
      this.listings.map(listing => listing.items),
      this.listings.every(listing => listing.listedAt !== undefined),
    );
    const names = new Set(definitions.map(definition => definition.info.name));
    for (const [name, known] of this.known) {
      if (!names.has(name)) {
        this.known.delete(name);
        this.closeQuietly(retire(name, known));
      }
    }
    for (const definition of definitions) {
      this.adopt(definition);
    }
    const fingerprint = this.fingerprint();
    if (fingerprint !== this.toldFingerprint) {
      this.toldFingerprint = fingerprint;
      this.tell();
    }
  }

  private adopt(definition: ClusterDefinition): void {
    const { name } = definition.info;
    this.tellRefusal(definition);
    const accessKey = JSON.stringify(definition.access);
    const known = this.known.get(name);
    if (!known) {
      const { timing, logger } = this.options;
      const transport = new SwitchableTransport(
        this.options.makeTransport(name, definition.access),
      );
      const client = new HttpClusterClient({ name, transport, timing, logger });
      this.known.set(name, { definition, accessKey, transport, client });
      return;
    }
    if (known.accessKey !== accessKey) {
      this.closeQuietly(
        known.transport.switchTo(this.options.makeTransport(name, definition.access)),
      );
    }
    this.known.set(name, { ...known, definition, accessKey });
  }

  private tellRefusal({ info }: ClusterDefinition): void {
    if (info.refused === undefined) {
      this.toldRefusals.delete(info.name);
    } else if (this.toldRefusals.get(info.name) !== info.refused) {
      this.toldRefusals.set(info.name, info.refused);
      this.options.logger.warn(`${info.name}: not used: ${info.refused}`);
      this.options.onRefusal({ cluster: info.name, why: info.refused });
    }
  }

  private tell(): void {
    for (const callback of [...this.callbacks]) {
      try {
        callback();
      } catch (error) {
        this.options.logger.error('a listener of the cluster list failed', asError(error));
      }
    }
  }

  private fingerprint(): string {
    const { clusters, problem, message } = this.list();
    return JSON.stringify([clusters, problem, message]);
  }

  private closeQuietly(closing: Promise<void>): void {
    closing.catch(error => this.options.logger.error('connections did not close', asError(error)));
  }
}

/** Whoever still holds the client of a cluster that left gets a clear answer instead of a connection. */
async function retire(name: string, known: KnownCluster): Promise<void> {
  await known.transport.switchTo(new RefusingTransport(name, 'this cluster is no longer listed'));
  await known.client.close();
}

async function readSource(source: ClusterSourceReader): Promise<SourceAnswer<ClusterDefinition>> {
  try {
    return { items: await source.read() };
  } catch (error) {
    return { error: error instanceof Error ? error.message : 'unknown error' };
  }
}

function asError(error: unknown): Error | undefined {
  return error instanceof Error ? error : undefined;
}
