import type { KubernetesObject } from '../../ports';
import { STAMP_ANNOTATION } from '../names';
import { formatStamp } from '../stamp';
import { observeTarget } from './observeTarget';

const SERVICE = 'component:default/checkout';

const namespace = (phase?: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'shop' },
  ...(phase ? { status: { phase } } : {}),
});
const config = (sequence?: number): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: 'checkout',
    namespace: 'shop',
    annotations: sequence
      ? { [STAMP_ANNOTATION]: formatStamp({ service: SERVICE, sequence, ticket: 1 }) }
      : {},
  },
});
const seen = { service: SERVICE, now: 1_000, failingSince: new Map() };

describe('what a target shows', () => {
  it('bears the lowest stamp of its own objects', () => {
    const objects = [namespace('Active'), config(7)];
    expect(observeTarget({ ...seen, content: objects, live: objects })).toMatchObject({
      stamp: { sequence: 7, ticket: 1 },
      health: { state: 'Healthy' },
    });
    const unstamped = [namespace('Active'), config()];
    const shown = observeTarget({ ...seen, content: unstamped, live: unstamped });
    expect([shown.stamp, shown.stampless]).toEqual([undefined, undefined]);
  });

  it('says so where only shared objects are brought, which bear none', () => {
    const objects = [namespace('Active')];
    expect(observeTarget({ ...seen, content: objects, live: objects })).toMatchObject({
      stampless: true,
      health: { state: 'Healthy' },
    });
    expect(observeTarget({ ...seen, content: objects, live: [] })).toMatchObject({
      stampless: true,
      health: { state: 'Progressing' },
    });
  });
});
