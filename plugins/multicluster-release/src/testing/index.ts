export { createTexts } from './createTexts';
export {
  FakeMulticlusterReleaseApi,
  type SentAction,
  type SentStart,
} from './FakeMulticlusterReleaseApi';
export * from './fixtures';
