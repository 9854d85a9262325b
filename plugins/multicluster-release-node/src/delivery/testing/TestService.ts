import { targetKey, type WeightRule } from 'backstage-plugin-multicluster-release-common';
import type {
  AnalyseData,
  ApplyData,
  CheckData,
  ContentStore,
  Effect,
  Hands,
  InventoryItem,
  Outcome,
  TargetPreview,
  WeightData,
  WriteFence,
} from '../../ports';
import { renderContent } from '../render/renderContent';

/** A fence that stays open. */
export const OPEN: WriteFence = {
  mayWrite: () => true,
  signal: new AbortController().signal,
};

/**
 * One service on one target, with the record that the brain would keep: what is
 * there, what was written down before, and the newest sequence.
 */
export class TestService {
  sequence = 0;
  ticket = 1;
  inventory: InventoryItem[] = [];
  /** Content that the record says runs there. */
  current: string | undefined;
  beforeDigest: string | undefined;
  pruneAlso: string[] = [];

  constructor(
    private readonly hands: Hands,
    private readonly contents: ContentStore,
    private readonly target: { cluster: string; namespace: string },
    readonly name: string,
  ) {}

  /** Renders and stores manifests for this target; answers the digest. */
  async content(manifests: object[], version = '1.0.0'): Promise<string> {
    const { objects, findings } = renderContent({
      service: this.name,
      objects: structuredClone(manifests),
      version,
      images: [],
      overrides: [],
      cluster: { name: this.target.cluster, labels: {} },
      namespace: this.target.namespace,
    });
    const errors = findings.filter(({ severity }) => severity === 'error');
    if (errors.length > 0) {
      throw new Error(errors.map(({ message }) => message).join(' '));
    }
    return this.contents.put({ version, objects });
  }

  /** A new plan: check, apply and remove in a row; ends at the first that is not done. */
  async release(digest: string | undefined, risks: string[] = []): Promise<Outcome> {
    this.sequence += 1;
    for (const kind of ['check', 'apply', 'remove'] as const) {
      const outcome = await this.perform(kind, digest, { acceptedRisks: risks });
      if (outcome.result !== 'done') {
        return outcome;
      }
    }
    this.current = digest;
    return { result: 'done' };
  }

  async perform(
    kind: Effect['kind'],
    digest: string | undefined,
    changed: Partial<Effect> = {},
    fence: WriteFence = OPEN,
  ): Promise<Outcome> {
    const outcome = await this.hands.perform({ ...this.effect(kind, digest), ...changed }, fence);
    const data = outcome.result === 'done' ? outcome.data : undefined;
    if (data) {
      this.inventory = data.inventory;
    }
    if (data?.kind === 'check') {
      this.beforeDigest ??= data.beforeDigest;
    }
    return outcome;
  }

  preview(digest: string, weights?: WeightRule[]): Promise<TargetPreview> {
    return this.hands.preview({
      target: this.target,
      key: targetKey(this.target),
      service: this.name,
      digest,
      fromDigest: this.current,
      inventory: this.inventory,
      pruneAlso: this.pruneAlso,
      prune: true,
      weights,
    });
  }

  /** What the brain would ask to be watched. */
  observeRequest(digest: string | undefined, writtenAt?: number) {
    return {
      target: this.target,
      key: targetKey(this.target),
      service: this.name,
      digest,
      writtenAt,
    };
  }

  private effect(kind: Effect['kind'], digest: string | undefined): Effect {
    const { target, sequence, ticket } = this;
    return {
      id: `1/${targetKey(target)}/${kind}/1/${ticket}`,
      kind,
      target,
      key: targetKey(target),
      stamp: { service: this.name, sequence, ticket },
      digest,
      fromDigest: this.current,
      inventory: this.inventory,
      pruneAlso: this.pruneAlso,
      prune: true,
      acceptedRisks: [],
    };
  }
}

/** The data of an outcome that must be `done`. @throws Error with the outcome where it is not */
export function dataOf<K extends 'check' | 'apply' | 'weight' | 'analyse'>(
  outcome: Outcome,
  kind: K,
): Extract<CheckData | ApplyData | WeightData | AnalyseData, { kind: K }> {
  if (outcome.result !== 'done' || outcome.data?.kind !== kind) {
    throw new Error(`not done: ${JSON.stringify(outcome)}`);
  }
  return outcome.data as Extract<CheckData | ApplyData | WeightData | AnalyseData, { kind: K }>;
}
