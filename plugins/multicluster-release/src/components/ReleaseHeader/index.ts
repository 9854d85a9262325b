export { ACTIONS_ANCHOR } from './anchor';
export { ReleaseHeader } from './ReleaseHeader';
