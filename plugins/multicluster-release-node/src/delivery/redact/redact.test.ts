import type { KubernetesObject } from '../../ports';
import { fieldChanges } from '../fieldChanges';
import { redactMessage } from './redactMessage';
import { redactObject } from './redactObject';

const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';
const FORBIDDEN = /CANARY-TOKEN|Q0FOQVJZLVRPS0VO/;

function secret(members: object, annotations?: Record<string, string>): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's', namespace: 't', ...(annotations && { annotations }) },
    ...members,
  };
}

const copy = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 's3' },
  stringData: { k: 'CANARY-TOKEN' },
});

/** The objects of field case C14. */
const SECRETS: [string, KubernetesObject][] = [
  ['plain', secret({ data: { k: 'Q0FOQVJZLVRPS0VO' } })],
  ['string-data', secret({ stringData: { k: 'CANARY-TOKEN' } })],
  ['annotation-copy', secret({ data: { k: 'Q0FOQVJZLVRPS0VO' } }, { [ANNOTATION]: copy })],
  ['invalid-type', secret({ stringData: { k: 'CANARY-TOKEN', num: 12345 } })],
  ['broken-annotation', secret({}, { [ANNOTATION]: 'not json CANARY-TOKEN' })],
  [
    'copy in another annotation',
    secret({ data: { k: 'Q0FOQVJZLVRPS0VO' } }, { note: 'is CANARY-TOKEN' }),
  ],
  ['data that is no object', secret({ data: 'CANARY-TOKEN' })],
];

describe('redaction (field case C14)', () => {
  it.each(SECRETS)('masks %s, and keeps the keys', (_name, object) => {
    const text = JSON.stringify(redactObject(object));
    expect(text).not.toMatch(FORBIDDEN);
    for (const key of Object.keys((object.data as {}) ?? {}).filter(name => name === 'k')) {
      expect(text).toContain(`"${key}":"(masked)"`);
    }
  });

  it('masks every item of a list, and leaves other kinds and its argument alone', () => {
    const list = {
      apiVersion: 'v1',
      kind: 'List',
      items: [SECRETS[0][1], { apiVersion: 'v1', kind: 'ConfigMap', data: { k: 'shown' } }],
    };
    const masked = redactObject(list);
    expect(JSON.stringify(masked)).not.toMatch(FORBIDDEN);
    expect(masked.items[1]).toEqual(list.items[1]);
    expect(JSON.stringify(list)).toMatch(FORBIDDEN);
  });

  it.each(SECRETS.slice(0, 4))('masks messages that quote %s', (_name, object) => {
    const quoted = `Secret "s" is invalid: ${JSON.stringify(object)} and ${JSON.stringify(
      JSON.stringify(object),
    )} holds CANARY-TOKEN`;
    const message = redactMessage(quoted, [object]);
    expect(message).toMatch(/^Secret "s" is invalid: /);
    expect(message).not.toMatch(FORBIDDEN);
  });

  it('masks a whole annotation that cannot be parsed, where a message quotes it', () => {
    const [, broken] = SECRETS[4];
    expect(redactMessage(`metadata: ${JSON.stringify(broken.metadata)}`, [broken])).not.toMatch(
      FORBIDDEN,
    );
  });

  it.each([
    [
      'changed',
      { data: { k: 'YQ==' } },
      { data: { k: 'Q0FOQVJZLVRPS0VO' } },
      '/data/k',
      { before: 'value changed', after: 'value changed' },
    ],
    ['added', {}, { data: { k: 'Q0FOQVJZLVRPS0VO' } }, '/data/k', { after: 'value changed' }],
    [
      'removed',
      { data: { k: 'Q0FOQVJZLVRPS0VO' } },
      { data: {} },
      '/data/k',
      { before: 'value changed' },
    ],
  ])('still says that a key was %s', (kind, before, after, pointer, values) => {
    expect(fieldChanges(secret(before), secret(after))).toEqual([{ kind, pointer, ...values }]);
  });

  it('masks annotations in diffs of Secrets', () => {
    const changes = fieldChanges(secret({}), SECRETS[4][1]);
    expect(changes).toHaveLength(1);
    expect(JSON.stringify(changes)).not.toMatch(FORBIDDEN);
  });
});
