export { messages } from './messages';
export { multiclusterReleaseTranslationRef } from './ref';
