import type { ReleaseSpec } from 'backstage-plugin-multicluster-release-common';
import type { ImageRule, OverrideRule } from 'backstage-plugin-multicluster-release-node';
import type { Fault } from '../errors';

export type DocumentKind = 'ResourceTemplate' | 'PlacementRule' | 'DistributionPolicy' | 'ClusterRelease';

/** Where the manifests of a template come from; exactly one. */
export type ManifestSource =
  | { inline: unknown[] }
  /** As written: relative to the document, or a URL; `ref` may hold `${version}`. */
  | { location: string; ref?: string };

/** A ResourceTemplate as delivery needs it. */
export interface TemplateSpec {
  name: string;
  configVersion?: string;
  source: ManifestSource;
  images: ImageRule[];
  overrides: OverrideRule[];
}

export interface ResolvedRelease {
  spec: ReleaseSpec;
  template: TemplateSpec;
}
