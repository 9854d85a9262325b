import { z } from 'zod';
import { durationSchema } from '../primitives/duration';
import { clusterNameSchema } from '../primitives/names';
import { withRules, type Report, type Unchecked } from '../primitives/withRules';
import { blueGreenSchema } from './blueGreen';
import { canarySchema } from './canary';
import { rollingUpdateSchema } from './rollingUpdate';

const rollbackSchema = withRules(
  z.strictObject({
    on: z
      .array(z.enum(['HealthFailed', 'MetricFailed', 'Timeout']))
      .optional()
      .describe('Failures that go back by themselves; others pause.'),
    type: z
      .enum(['Restore', 'BlueGreen'])
      .optional()
      .describe('Put the old version back, or send traffic to a standby cluster first.'),
    standbyCluster: clusterNameSchema
      .optional()
      .describe('For BlueGreen: the cluster that takes the traffic.'),
    keepStandby: durationSchema
      .optional()
      .describe('For BlueGreen: when the standby follows after a success.'),
  }),
  ({ type, standbyCluster, keepStandby }, report) => {
    if (type === 'BlueGreen' && standbyCluster === undefined) {
      report(
        ['standbyCluster'],
        'is missing: rollback of type BlueGreen needs the cluster that takes the traffic',
      );
    }
    const restores = type === undefined || type === 'Restore';
    if (restores && standbyCluster !== undefined) {
      report(['standbyCluster'], 'goes only with type: BlueGreen');
    }
    if (restores && keepStandby !== undefined) {
      report(['keepStandby'], 'goes only with type: BlueGreen');
    }
  },
).describe('How a failed release goes back.');

/** Each type has its own block. */
const BLOCKS: Record<string, string> = {
  Canary: 'canary',
  RollingUpdate: 'rollingUpdate',
  BlueGreen: 'blueGreen',
};

export const strategySchema = withRules(
  z.strictObject({
    type: z.enum(['Canary', 'RollingUpdate', 'BlueGreen']).describe('Which strategy.'),
    canary: canarySchema.optional(),
    rollingUpdate: rollingUpdateSchema.optional(),
    blueGreen: blueGreenSchema.optional(),
    rollback: rollbackSchema.optional(),
  }),
  blockFitsType,
).describe('How the new version reaches the clusters.');

export type Strategy = z.infer<typeof strategySchema>;

function blockFitsType(strategy: Unchecked, report: Report): void {
  const { type } = strategy;
  for (const [name, block] of Object.entries(BLOCKS)) {
    if (name === type && strategy[block] === undefined) {
      report([block], `is missing: type ${name} needs ${block}`);
    }
    if (name !== type && strategy[block] !== undefined) {
      report([block], `goes only with type: ${name}`);
    }
  }
}
