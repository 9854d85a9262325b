import type { TenancyRule } from '../../config/tenancy';
import { checkTenancy } from './checkTenancy';

const object = (kind: string, namespace: string | undefined, apiVersion = 'apps/v1') => ({
  apiVersion,
  kind,
  metadata: { name: 'x', namespace },
});
const rule = (more: Partial<TenancyRule> = {}): TenancyRule => ({
  owners: ['group:default/shop'],
  namespaces: ['shop-*'],
  ...more,
});

describe('tenancy', () => {
  it.each<
    [string, TenancyRule[], ReturnType<typeof object>, string | undefined, string | undefined]
  >([
    [
      'without rules every namespace is free',
      [],
      object('Deployment', 'production'),
      'group:default/shop',
      undefined,
    ],
    [
      'but those of Kubernetes itself',
      [],
      object('Deployment', 'kube-system'),
      'group:default/shop',
      'NamespaceNotAllowed',
    ],
    [
      'a namespace by pattern',
      [rule()],
      object('Deployment', 'shop-eu'),
      'group:default/shop',
      undefined,
    ],
    [
      'a pattern is no prefix of another name',
      [rule()],
      object('Deployment', 'workshop-eu'),
      'group:default/shop',
      'NamespaceNotAllowed',
    ],
    [
      'a dot is a dot',
      [rule({ namespaces: ['shop.eu'] })],
      object('Deployment', 'shopxeu'),
      'group:default/shop',
      'NamespaceNotAllowed',
    ],
    [
      'another owner',
      [rule()],
      object('Deployment', 'shop-eu'),
      'group:default/other',
      'NamespaceNotAllowed',
    ],
    ['no owner', [rule()], object('Deployment', 'shop-eu'), undefined, 'NamespaceNotAllowed'],
    ['everybody', [rule({ owners: ['*'] })], object('Deployment', 'shop-eu'), undefined, undefined],
    [
      'a kind that is listed',
      [rule({ kinds: ['Deployment'] })],
      object('Deployment', 'shop-eu'),
      'group:default/shop',
      undefined,
    ],
    [
      'a kind that is not listed',
      [rule({ kinds: ['Deployment'] })],
      object('Secret', 'shop-eu', 'v1'),
      'group:default/shop',
      'NamespaceNotAllowed',
    ],
    [
      'a kind with its group',
      [rule({ kinds: ['Queue.acme.io'] })],
      object('Queue', 'shop-eu', 'acme.io/v1'),
      'group:default/shop',
      undefined,
    ],
    [
      'the same kind of another group',
      [rule({ kinds: ['Queue.acme.io'] })],
      object('Queue', 'shop-eu', 'other.io/v1'),
      'group:default/shop',
      'NamespaceNotAllowed',
    ],
    [
      'another cluster',
      [rule({ clusters: ['eu-*'] })],
      object('Deployment', 'shop-eu'),
      'group:default/shop',
      'NamespaceNotAllowed',
    ],
    [
      'rules add up',
      [rule({ namespaces: ['a'] }), rule({ namespaces: ['b'] })],
      object('Deployment', 'b'),
      'group:default/shop',
      undefined,
    ],
    [
      'outside of namespaces',
      [rule()],
      object('ClusterRole', undefined),
      'group:default/shop',
      'ClusterScopedNotAllowed',
    ],
  ])('%s', (_name, rules, one, owner, code) => {
    const findings = checkTenancy({
      rules,
      owner,
      cluster: 'us-1',
      objects: [one],
      clusterScopedAllowed: false,
    });
    expect(findings.map(finding => finding.code)).toEqual(code ? [code] : []);
  });

  it('says each thing once, whatever it holds for', () => {
    const objects = [
      object('Deployment', 'a'),
      object('Deployment', 'a'),
      object('Service', 'a', 'v1'),
    ];
    expect(
      checkTenancy({ rules: [rule()], cluster: 'c', objects, clusterScopedAllowed: true }),
    ).toHaveLength(2);
  });
});
