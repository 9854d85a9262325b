import { createRouteRef } from '@backstage/frontend-plugin-api';

export const oversightRouteRef = createRouteRef();
export const entityContentRouteRef = createRouteRef();
