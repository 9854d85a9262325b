import { z } from 'zod';

/** A map whose keys are not ours: Kubernetes objects, Helm values. */
export const freeMapSchema = z.record(z.string(), z.unknown());

/** Which Kubernetes objects something is about. */
export const objectTargetSchema = z.strictObject({
  apiVersion: z.string().optional().describe('Group and version, for example apps/v1.'),
  kind: z.string().describe('Kind, for example Deployment.'),
  namespace: z.string().optional().describe('Namespace.'),
  name: z.string().optional().describe('Name; all objects of the kind where it is left out.'),
});

export const celSchema = z.string().refine(text => text.trim() !== '', 'must not be empty');
