import { createApp } from '@backstage/frontend-defaults';
import catalogPlugin from '@backstage/plugin-catalog/alpha';

/**
 * Every other plugin is found by its package (`app.packages: all` in
 * app-config.yaml), as in any new Backstage.
 */
export default createApp({ features: [catalogPlugin] });
