import { contentDigest } from './digest';

const configMap = (name: string, data: object) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'shop' },
  data,
});

describe('contentDigest', () => {
  it('does not depend on the order of objects or keys', () => {
    const one = contentDigest([configMap('a', { x: '1', y: '2' }), configMap('b', {})]);
    expect(one).toMatch(/^[0-9a-f]{64}$/);
    expect(contentDigest([configMap('b', {}), configMap('a', { y: '2', x: '1' })])).toBe(one);
  });

  it.each([
    ['a value', [configMap('a', { x: '2' })]],
    ['the order of a list', [configMap('a', { x: ['2', '1'] })]],
    ['an object more', [configMap('a', { x: '1' }), configMap('b', {})]],
    ['nothing', []],
  ])('depends on %s', (_name, objects) => {
    expect(contentDigest(objects)).not.toBe(contentDigest([configMap('a', { x: '1' })]));
    expect(contentDigest(objects)).not.toBe(contentDigest([configMap('a', { x: ['1', '2'] })]));
  });
});
