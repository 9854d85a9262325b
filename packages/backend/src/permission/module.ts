import { createBackendModule } from '@backstage/backend-plugin-api';
import { policyExtensionPoint } from '@backstage/plugin-permission-node/alpha';
import { AllowAllPolicy } from './AllowAllPolicy';

/** Gives the permission backend the policy of this app. */
export const permissionModule = createBackendModule({
  pluginId: 'permission',
  moduleId: 'policy',
  register(env) {
    env.registerInit({
      deps: { policy: policyExtensionPoint },
      async init({ policy }) {
        policy.setPolicy(new AllowAllPolicy());
      },
    });
  },
});
