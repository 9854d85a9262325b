import { createTranslationRef } from '@backstage/frontend-plugin-api';
import { messages } from './messages';

/**
 * The texts of our pages. Languages are matched exactly by Backstage, therefore
 * Chinese stands under both of its usual codes.
 *
 * @public
 */
export const multiclusterReleaseTranslationRef = createTranslationRef({
  id: 'multicluster-release',
  messages,
  translations: {
    zh: () => import('./zh'),
    'zh-CN': () => import('./zh'),
  },
});
