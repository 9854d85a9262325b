export { actionReason } from './actionReason';
export { createFormats, type Formats } from './formats';
export { entityName, shortDigest } from './names';
export { idleSentence, releaseSentence, runningVersions, type Sentence } from './releaseSentence';
export type { TextKey, TextParams, Texts, Translate } from './Texts';
export { WAITING_WORDINGS, waitingReason, waitingSentence } from './waitingText';
