import { ConfigReader } from '@backstage/config';
import { readSettings } from './settings';

const read = (multiclusterRelease?: object) =>
  readSettings(new ConfigReader(multiclusterRelease ? { multiclusterRelease } : {}));

describe('settings', () => {
  it('have defaults that are safe', () => {
    expect(read()).toEqual({
      tenancy: [],
      timeScale: 1,
      allowFileSources: false,
      leaseSeconds: 60,
      freshSeconds: 30,
      previewTimeoutSeconds: 30,
      keepReleases: 50,
    });
  });

  it('are read', () => {
    const tenancy = [
      { owners: ['group:default/shop'], namespaces: ['shop-*'], kinds: ['Deployment'] },
    ];
    expect(
      read({ tenancy, development: { timeScale: 0.02, allowFileSources: true }, leaseSeconds: 30 }),
    ).toMatchObject({
      tenancy: [
        {
          owners: ['group:default/shop'],
          namespaces: ['shop-*'],
          kinds: ['Deployment'],
          clusters: undefined,
        },
      ],
      timeScale: 0.02,
      allowFileSources: true,
      leaseSeconds: 30,
    });
  });

  it.each([
    [{ development: { timeScale: 0 } }, 'development.timeScale'],
    [{ development: { timeScale: -1 } }, 'development.timeScale'],
    [{ leaseSeconds: 5 }, 'leaseSeconds'],
    [{ freshSeconds: 3000 }, 'freshSeconds'],
    [{ tenancy: [{ namespaces: ['a'] }] }, 'tenancy[0].owners'],
    [{ tenancy: [{ owners: 'group:default/shop', namespaces: ['a'] }] }, 'tenancy[0].owners'],
  ])('%j is refused and named', (config, key) => {
    expect(() => read(config)).toThrow(key);
  });
});
