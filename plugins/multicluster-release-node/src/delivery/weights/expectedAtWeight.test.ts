import type { KubernetesObject } from '../../ports';
import { CONTENT_ANNOTATION } from '../names';
import { expectedAtWeight } from './expectedAtWeight';

const deployment = (name: string, digest?: string): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name,
    namespace: 'shop',
    ...(digest === undefined ? {} : { annotations: { [CONTENT_ANNOTATION]: digest } }),
  },
  spec: { selector: { matchLabels: { app: name } }, template: { metadata: { labels: {} } } },
});
const settings: KubernetesObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings', namespace: 'shop' },
};
const CONTENT = [deployment('web'), deployment('api'), settings];
const OLD = 'old';
const NEW = 'new';

describe('what shall be there at a weight, so that what runs beside it holds nothing up (C31)', () => {
  it.each<[string, KubernetesObject[], string[]]>([
    [
      'the copies of what runs',
      [deployment('web', OLD), deployment('api', OLD)],
      ['web-canary', 'api-canary'],
    ],
    [
      'no copy of what does not run yet',
      [deployment('web', OLD), deployment('web-canary', NEW)],
      ['web-canary'],
    ],
    [
      'a copy beside what nobody has managed before, which bears no label of ours',
      [deployment('web-canary', NEW)],
      ['web-canary'],
    ],
    [
      'the content where it was brought in full',
      [deployment('web', NEW)],
      ['web', 'api', 'settings'],
    ],
    [
      'the copy although the running version came to the same content meanwhile',
      [deployment('web', NEW), deployment('web-canary', NEW)],
      ['web-canary'],
    ],
    ['all copies where nothing is there', [settings], ['web-canary', 'api-canary']],
  ])('%s', (_name, live, expected) => {
    const names = expectedAtWeight(NEW, CONTENT, live).map(({ metadata }) => metadata.name);
    expect(names).toEqual(expected);
  });
});
