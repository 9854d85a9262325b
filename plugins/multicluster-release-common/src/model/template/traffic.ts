import { z } from 'zod';
import {
  clusterNameSchema,
  dnsSubdomainSchema,
  namespaceSchema,
  textSchema,
} from '../primitives/names';
import { exactlyOne, withRules } from '../primitives/withRules';

const service = dnsSubdomainSchema.describe('Name of the Service.');

/** How weights are set inside one cluster. */
export const trafficSchema = withRules(
  z.strictObject({
    gatewayApi: z
      .strictObject({ route: dnsSubdomainSchema.describe('Name of the HTTPRoute.'), service })
      .optional()
      .describe('Gateway API.'),
    istio: z
      .strictObject({
        virtualService: dnsSubdomainSchema.describe('Name of the VirtualService.'),
        service,
      })
      .optional()
      .describe('Istio.'),
    nginx: z
      .strictObject({ ingress: dnsSubdomainSchema.describe('Name of the Ingress.'), service })
      .optional()
      .describe('NGINX annotations.'),
    traefik: z.strictObject({ service }).optional().describe('Traefik.'),
    service: z.strictObject({ service }).optional().describe('Selector of the Service.'),
  }),
  exactlyOne(['gatewayApi', 'istio', 'nginx', 'traefik', 'service'], 'a router'),
).describe('How weights are set inside one cluster; by pod counts where it is left out.');

/** How traffic is divided between clusters. */
export const globalTrafficSchema = z
  .strictObject({
    gatewayApi: z
      .strictObject({
        cluster: clusterNameSchema.describe('Cluster of the route.'),
        namespace: namespaceSchema.describe('Namespace of the route.'),
        route: dnsSubdomainSchema.describe('Name of the HTTPRoute.'),
        backends: z.record(clusterNameSchema, textSchema).describe('Backend of each cluster.'),
      })
      .describe('Gateway API.'),
  })
  .describe('How traffic is divided between clusters.');
