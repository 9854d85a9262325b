import type { TargetRef } from 'backstage-plugin-multicluster-release-common';
import type { Knex } from 'knex';
import type {
  ClusterProber,
  ClusterRegistry,
  ContentStore,
  Hands,
  Measurer,
  QuotaRoom,
} from 'backstage-plugin-multicluster-release-node';
import type { Settings } from '../config/settings';
import type { ContentCipher } from '../store';
import type { SourceReader } from './sources';

/** What commands work with. Time and ids come in from outside. */
export interface CommandContext {
  database: Knex;
  cipher: ContentCipher;
  contents: ContentStore;
  hands: Pick<Hands, 'preview'>;
  measurer: Measurer;
  registry: Pick<ClusterRegistry, 'list' | 'confirmEmpty'>;
  prober: Pick<ClusterProber, 'all' | 'status'>;
  sources: SourceReader;
  /** What the quotas of a target's namespace leave; undefined where that cannot be known. */
  readQuotas(target: TargetRef, signal: AbortSignal): Promise<QuotaRoom[] | undefined>;
  settings: Settings;
  /** Epoch milliseconds. */
  now(): number;
  /** A new release's id. */
  newId(): string;
  /** Told after a command changed a release: wakes the engine, and those who look at it. */
  onChange(change: { releaseId: string; service: string; revision: number }): void;
  /** An order of the platform stands, and could not be written into the history of this release. */
  onTellFailed(releaseId: string, error: unknown): void;
}

/** Who gives an order. */
export interface Actor {
  /** User entity ref, or the subject of the service that called. */
  ref: string;
  /** For whom a service called; undefined where a user called. */
  onBehalfOf?: string;
}

/** The catalog's word on a service: what commands need of its entity. */
export interface ServiceEntity {
  /** `component:default/checkout` */
  ref: string;
  /** Entity ref of the owner; undefined where the catalog names none. */
  owner?: string;
  /** `multicluster-release.io/location` */
  location?: string;
  /** `backstage.io/managed-by-location`: what relative locations are relative to. */
  managedBy?: string;
}
