import type { Finding, ReleaseSpec } from 'backstage-plugin-multicluster-release-common';
import type { ImageRule, OverrideRule } from 'backstage-plugin-multicluster-release-node';

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

/** A release with its defaults filled in and its names followed. */
export interface ReleaseToRun {
  spec: ReleaseSpec;
  template: TemplateSpec;
  /** What the documents themselves give to say at preview. */
  findings: Finding[];
}
