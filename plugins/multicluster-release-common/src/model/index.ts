export * from './documents';
export * from './documentJsonSchemas';
export * from './errors/DocumentError';
export { nearest } from './errors/nearest';
export { FOUNDING_GROUP_VERSION, GROUP_VERSION } from './metadata';
export type { NotBuilt } from './notBuilt/NotBuilt';
export * from './notBuilt/notBuiltYet';
export * from './parseDocuments';
export * from './parseManifests';
export type { PlacementRule } from './placement/PlacementRule';
export type { DistributionPolicy, DistributionPolicySpec } from './policy/DistributionPolicy';
export { parseCount } from './primitives/count';
export { cronFault } from './primitives/cron';
export { parseDuration } from './primitives/duration';
export { isEntityRef } from './primitives/entityRef';
export { isDnsLabel, isDnsSubdomain } from './primitives/names';
export { isTimeZone } from './primitives/timeZone';
export { isSemver, isTargetVersion, stripLeadingV } from './primitives/versions';
export type { ClusterRelease, ClusterReleaseSpec } from './release/ClusterRelease';
export * from './resolve/resolveReleaseSpec';
export { overrideSelector, toClusterSelector } from './resolve/toClusterSelector';
export type { Override } from './template/overrides';
export type {
  ImageRule,
  ResourceTemplate,
  ResourceTemplateSpec,
} from './template/ResourceTemplate';
