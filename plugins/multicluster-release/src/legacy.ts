/**
 * Multicluster Release for apps of the old frontend system.
 *
 * @packageDocumentation
 */
export * from './legacyPlugin';
