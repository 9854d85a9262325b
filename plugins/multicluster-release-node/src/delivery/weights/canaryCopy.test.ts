import { addLabels } from '../render/addLabels';
import { canaryCopy } from './canaryCopy';

describe('canaryCopy', () => {
  it('keeps every label of the pods, and selects them by its own track', () => {
    const deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'shop', labels: { team: 'a' } },
      spec: {
        replicas: 4,
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web', tier: 'front' } }, spec: { containers: [] } },
      },
    };
    addLabels([deployment], 'component:default/shop');
    const before = structuredClone(deployment);
    const copy = canaryCopy(deployment, 1);
    expect(copy).toMatchObject({
      metadata: {
        name: 'web-canary',
        namespace: 'shop',
        labels: { team: 'a', 'multicluster-release.io/track': 'canary' },
      },
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: 'web', 'multicluster-release.io/track': 'canary' } },
        template: {
          metadata: {
            labels: { app: 'web', tier: 'front', 'multicluster-release.io/track': 'canary' },
          },
        },
      },
    });
    expect(deployment).toEqual(before);
  });
});
