import { createBackend } from '@backstage/backend-defaults';
import { multiclusterReleaseSamplePolicy } from 'backstage-plugin-multicluster-release-backend';

const backend = createBackend();

backend.add(import('@backstage/plugin-app-backend'));

backend.add(import('@backstage/plugin-auth-backend'));
backend.add(import('@backstage/plugin-auth-backend-module-guest-provider'));

backend.add(import('@backstage/plugin-catalog-backend'));

backend.add(import('@backstage/plugin-permission-backend'));
// Owners of a service may release it, everybody may look.
backend.add(multiclusterReleaseSamplePolicy);

backend.add(import('@backstage/plugin-kubernetes-backend'));

backend.add(import('@backstage/plugin-events-backend'));
backend.add(import('@backstage/plugin-signals-backend'));

backend.add(import('backstage-plugin-multicluster-release-backend'));

backend.start();
