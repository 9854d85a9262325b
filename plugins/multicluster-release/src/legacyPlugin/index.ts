export {
  EntityMulticlusterReleaseCard,
  EntityMulticlusterReleaseContent,
  MulticlusterReleasePage,
  multiclusterReleasePlugin,
} from './plugin';
