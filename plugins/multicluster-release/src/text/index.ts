export { actionReason } from './actionReason';
export { createFormats, type Formats } from './formats';
export { entityName, plainWords, shortDigest, shortId } from './names';
export { plainFault } from './plainFault';
export { rollbackReason } from './rollbackReason';
export { idleSentence, releaseSentence, runningVersions, type Sentence } from './releaseSentence';
export { strategyWord } from './strategyWord';
export type { TextKey, TextParams, Texts, Translate } from './Texts';
export { WAITING_WORDINGS, waitingReason, waitingSentence } from './waitingText';
