/**
 * The texts of the Multicluster Release pages, for apps that add a language or
 * word something differently.
 *
 * @packageDocumentation
 */
export { multiclusterReleaseTranslationRef } from './translation';
