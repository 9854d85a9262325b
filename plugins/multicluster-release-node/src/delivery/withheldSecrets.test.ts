import type { KubernetesObject } from '../ports';
import { idKey, idOf } from './objectId';
import { fillWithheld, withheldDigest } from './withheldSecrets';

function secret(data: Record<string, string>): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 't' }, data };
}

const live = secret({ k: 'Q0FOQVJZLVRPS0VO', extra: 'eA==' });
const stored = (digest: string) => ({
  digest: 'd',
  version: '1',
  objects: [secret({ k: digest })],
  withheldSecrets: [idOf(live)],
});
const onCluster = (object: KubernetesObject) => new Map([[idKey(idOf(object)), object]]);

describe('fillWithheld', () => {
  it('takes the data from the cluster where it is proven to be the same', () => {
    const content = stored(withheldDigest(live, 'k', 'Q0FOQVJZLVRPS0VO'));
    expect(fillWithheld(content, onCluster(live), 'cluster-a')).toEqual({
      objects: [secret({ k: 'Q0FOQVJZLVRPS0VO' })],
    });
  });

  it.each([
    ['has another value', onCluster(secret({ k: 'eA==' }))],
    ['has no such Secret', new Map()],
  ])('says what is missing where the cluster %s', (_name, copies) => {
    const { missing } = fillWithheld(
      stored(withheldDigest(live, 'k', 'Q0FOQVJZLVRPS0VO')),
      copies,
      'cluster-a',
    );
    expect(missing).toMatchObject({
      result: 'refused',
      reason: 'ContentWithheld',
      message: expect.stringContaining('cluster-a: Secret/t/s:'),
    });
  });
});
