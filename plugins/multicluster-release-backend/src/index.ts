/**
 * The brain of Multicluster Release: HTTP API, engine and record.
 *
 * @packageDocumentation
 */
export { multiclusterReleasePlugin as default } from './plugin';
export { decideOnRelease, multiclusterReleaseSamplePolicy } from './permissions/samplePolicy';
