import type { KubernetesObject } from '../../ports';
import { valueAt } from '../json';
import { containersOf } from '../podTemplate';
import { serviceLabel } from '../serviceLabel';
import { renderContent, type RenderInput } from './renderContent';

const SERVICE = 'component:default/checkout';
const LABEL = serviceLabel(SERVICE);

function deployment(overrides: object = {}): KubernetesObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'checkout', labels: { app: 'checkout' } },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'checkout' } },
      template: {
        metadata: { labels: { app: 'checkout' }, creationTimestamp: null },
        spec: { containers: [{ name: 'web', image: 'ghcr.io/acme/checkout:0.1' }] },
      },
      ...overrides,
    },
  };
}

function render(input: Partial<RenderInput>) {
  return renderContent({
    service: SERVICE,
    objects: [deployment()],
    version: '2.0.0',
    images: [],
    overrides: [],
    cluster: {
      name: 'cluster-a',
      labels: { ring: 'gray' },
      region: 'cn-east-1',
      kubernetesVersion: 'v1.36.3',
    },
    namespace: 'production',
    ...input,
  });
}

function only(input: Partial<RenderInput>): KubernetesObject {
  const { objects, findings } = render(input);
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  return objects[0];
}

describe('renderContent', () => {
  it('gives namespace and our labels, and leaves selectors alone', () => {
    const object = only({});
    expect(object.metadata).toEqual({
      name: 'checkout',
      namespace: 'production',
      labels: { app: 'checkout', 'multicluster-release.io/service': LABEL },
    });
    expect(valueAt(object, 'spec', 'selector')).toEqual({ matchLabels: { app: 'checkout' } });
    expect(valueAt(object, 'spec', 'template', 'metadata')).toEqual({
      labels: {
        app: 'checkout',
        'multicluster-release.io/service': LABEL,
        'multicluster-release.io/track': 'stable',
      },
    });
  });

  it('keeps our labels out of Job templates, which cannot be changed, and off shared kinds', () => {
    const job = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'migrate' },
      spec: { template: { spec: {} } },
    };
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'production' } };
    const { objects } = render({ objects: [job, namespace] });
    expect(objects[0].spec).toEqual({ template: { spec: {} } });
    expect(objects[1].metadata).toEqual({ name: 'production' });
  });

  it.each([
    ['a tag', 'ghcr.io/acme/checkout:0.1', '2.0.0', 'ghcr.io/acme/checkout:2.0.0'],
    ['no tag', 'ghcr.io/acme/checkout', '2.0.0', 'ghcr.io/acme/checkout:2.0.0'],
    ['a digest', 'ghcr.io/acme/checkout:0.1@sha256:ab', '2.0.0', 'ghcr.io/acme/checkout:2.0.0'],
    [
      'a SemVer build part',
      'ghcr.io/acme/checkout:0.1',
      '2.0.0+b7',
      'ghcr.io/acme/checkout:2.0.0_b7',
    ],
    ['a leading v', 'ghcr.io/acme/checkout:0.1', 'v2.0.0', 'ghcr.io/acme/checkout:2.0.0'],
    [
      'another image whose name only begins alike',
      'ghcr.io/acme/checkout-web:0.1',
      '2.0.0',
      'ghcr.io/acme/checkout-web:0.1',
    ],
    ['a registry with a port', 'registry:5000/checkout', '2.0.0', 'registry:5000/checkout'],
  ])('sets the tag of an image with %s', (_name, image, version, expected) => {
    const template = { spec: { containers: [{ name: 'web', image }] } };
    const images = [{ name: 'ghcr.io/acme/checkout', tag: '${version}' }];
    const object = only({ objects: [deployment({ template })], images, version });
    expect(containersOf(object).map(container => container.image)).toEqual([expected]);
  });

  it('sets images of every known kind and every list of containers', () => {
    const podSpec = {
      initContainers: [{ name: 'i', image: 'x:1' }],
      containers: [{ name: 'c', image: 'x:1' }],
      ephemeralContainers: [{ name: 'e', image: 'x:1' }],
    };
    const kinds = [
      ['apps/v1', 'Deployment', { template: { spec: podSpec } }],
      ['apps/v1', 'StatefulSet', { template: { spec: podSpec } }],
      ['apps/v1', 'DaemonSet', { template: { spec: podSpec } }],
      ['apps/v1', 'ReplicaSet', { template: { spec: podSpec } }],
      ['batch/v1', 'Job', { template: { spec: podSpec } }],
      ['batch/v1', 'CronJob', { jobTemplate: { spec: { template: { spec: podSpec } } } }],
      ['v1', 'Pod', podSpec],
    ] as const;
    const objects = kinds.map(([apiVersion, kind, spec]) => ({
      apiVersion,
      kind,
      metadata: { name: kind.toLowerCase() },
      spec,
    }));
    const { objects: rendered } = render({ objects, images: [{ name: 'x' }] });
    expect(JSON.stringify(rendered).match(/x:2\.0\.0/g)).toHaveLength(3 * kinds.length);
    expect(JSON.stringify(rendered)).not.toContain('x:1');
  });

  it('warns of an image rule that matches nothing', () => {
    expect(render({ images: [{ name: 'nobody/uses-this' }] }).findings).toEqual([
      expect.objectContaining({
        severity: 'warning',
        code: 'ImageRuleUnmatched',
        path: 'spec.images[0].name',
        cluster: 'cluster-a',
      }),
    ]);
  });

  it('puts the version into text values, never into keys, escaped for where it goes', () => {
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'conf-${version}',
        labels: { version: '${version}' },
        annotations: { '${version}': 'v${version}' },
      },
      data: { text: 'runs ${version}, {"v": "${version}"}' },
    };
    expect(only({ objects: [object], version: 'v2.0.0-RC.1+b7' })).toMatchObject({
      metadata: {
        name: 'conf-2.0.0-rc.1-b7',
        labels: { version: '2.0.0-RC.1_b7' },
        annotations: { '${version}': 'v2.0.0-RC.1+b7' },
      },
      data: { text: 'runs 2.0.0-RC.1+b7, {"v": "2.0.0-RC.1+b7"}' },
    });
  });

  it.each(['1.0"', '', '1.0\n2', '${version}', 'a b'])(
    'refuses a version that could break out of its place: %j',
    version => {
      expect(render({ version })).toEqual({
        objects: [],
        findings: [expect.objectContaining({ severity: 'error', code: 'VersionUnusable' })],
      });
    },
  );

  it('applies the overrides of the cluster in order, the later wins', () => {
    const patch = (replicas: number) => [
      { target: { kind: 'Deployment', name: 'checkout' }, patch: { spec: { replicas } } },
    ];
    const overrides = [
      { match: { regions: ['cn-east-1'] }, patches: patch(6) },
      { match: { matchLabels: { ring: 'gray' } }, patches: patch(7) },
      { match: { clusters: ['cluster-b'] }, patches: patch(8) },
      { match: { kubernetesVersion: '<1.30' }, patches: patch(9) },
    ];
    expect(valueAt(only({ overrides }), 'spec', 'replicas')).toBe(7);
  });

  it('applies JSON 6902 lists', () => {
    const patch = [{ op: 'add', path: '/metadata/labels/team', value: 'shop-${version}' }];
    const overrides = [{ match: {}, patches: [{ target: { kind: 'Deployment' }, patch }] }];
    expect(only({ overrides }).metadata.labels?.team).toBe('shop-2.0.0');
  });

  it.each([
    [
      'a target that matches nothing',
      { target: { kind: 'Deployment', name: 'chekout' }, patch: {} },
      'PatchTargetUnmatched',
      'spec.overrides[0].patches[0]: the content has no Deployment/chekout. Correct the target; there are: Deployment/production/checkout.',
    ],
    [
      'an operation that does not fit',
      { target: { kind: 'Deployment' }, patch: [{ op: 'remove', path: '/spec/nothing' }] },
      'PatchInvalid',
      'does not fit Deployment/production/checkout',
    ],
    [
      'a patch of the identity',
      { target: { kind: 'Deployment' }, patch: { metadata: { name: 'other' } } },
      'PatchChangesIdentity',
      'cannot give Deployment/production/checkout another kind, name or namespace',
    ],
  ])('refuses %s', (_name, override, code, message) => {
    const { objects, findings } = render({ overrides: [{ match: {}, patches: [override] }] });
    expect(objects).toEqual([]);
    expect(findings).toEqual([
      expect.objectContaining({
        severity: 'error',
        code,
        message: expect.stringContaining(message),
      }),
    ]);
  });

  it('says which object names another namespace', () => {
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'app', namespace: 'team-b' },
    };
    expect(render({ objects: [object] })).toEqual({
      objects: [
        expect.objectContaining({ metadata: expect.objectContaining({ namespace: 'team-b' }) }),
      ],
      findings: [
        expect.objectContaining({
          severity: 'warning',
          code: 'OtherNamespace',
          params: { object: 'ConfigMap/team-b/app', namespace: 'team-b', target: 'production' },
        }),
      ],
    });
  });

  it('knows cluster-scoped kinds, custom ones by their definition', () => {
    const definition = (scope: string) => ({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'tanks.acc.example.org' },
      spec: {
        group: 'acc.example.org',
        scope,
        names: { kind: 'Tank', plural: 'tanks' },
        versions: [],
      },
    });
    const tank = { apiVersion: 'acc.example.org/v1', kind: 'Tank', metadata: { name: 't' } };
    const namespaceOf = (scope: string) =>
      render({ objects: [definition(scope), tank] }).objects.map(
        ({ metadata }) => metadata.namespace,
      );
    expect(namespaceOf('Cluster')).toEqual([undefined, undefined]);
    expect(namespaceOf('Namespaced')).toEqual([undefined, 'production']);
  });

  it('drops what only API servers write', () => {
    const read = { ...deployment(), status: { replicas: 1 } };
    Object.assign(read.metadata, {
      uid: 'u',
      resourceVersion: '7',
      generation: 3,
      managedFields: [],
      creationTimestamp: 'now',
    });
    expect(only({ objects: [read] })).toEqual(only({}));
  });

  it('takes lists apart and refuses the same object twice, in any version of its group', () => {
    const list = {
      apiVersion: 'v1',
      kind: 'List',
      items: [deployment(), { ...deployment(), apiVersion: 'apps/v1beta1' }],
    };
    expect(render({ objects: [null, list] }).findings).toEqual([
      expect.objectContaining({
        code: 'DuplicateObject',
        message: expect.stringContaining('Deployment/production/checkout'),
      }),
    ]);
  });

  it('names the place of what is no object', () => {
    expect(
      render({ objects: [deployment(), { kind: 'Deployment', metadata: { generateName: 'x-' } }] })
        .findings[0].message,
    ).toBe(
      'cluster-a: manifest 2: apiVersion, kind and metadata.name must be there, as text. Complete the manifest.',
    );
  });

  it.each([
    ['nothing', []],
    [
      'only kinds that services share',
      [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'production' } }],
    ],
  ])('refuses content that brings %s: nothing could prove that it is there', (_name, objects) => {
    expect(render({ objects })).toEqual({
      objects: [],
      findings: [expect.objectContaining({ severity: 'error', code: 'NothingToRelease' })],
    });
  });

  describe('of Secrets (field case C14)', () => {
    const secret = (members: object) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's' },
      ...members,
    });

    it('moves stringData to data, where dropped keys really go', () => {
      const object = only({
        objects: [secret({ stringData: { k: 'CANARY-TOKEN' }, data: { old: 'b2xk' } })],
      });
      expect(object.data).toEqual({ k: 'Q0FOQVJZLVRPS0VO', old: 'b2xk' });
      expect(object).not.toHaveProperty('stringData');
    });

    it('names the key of a value that is no text, and no value', () => {
      const { findings } = render({
        objects: [secret({ stringData: { k: 'CANARY-TOKEN', num: 12345 } })],
      });
      expect(findings[0]).toMatchObject({
        code: 'SecretDataNotText',
        params: { keys: 'stringData.num' },
      });
      expect(JSON.stringify(findings)).not.toMatch(/CANARY-TOKEN|12345/);
    });

    it('names the key of data that is not base64, and no value', () => {
      const { findings } = render({
        objects: [secret({ data: { k: 'CANARY-TOKEN, no base64' } })],
      });
      expect(findings[0]).toMatchObject({
        code: 'SecretDataNotBase64',
        params: { keys: 'data.k' },
      });
      expect(JSON.stringify(findings)).not.toContain('CANARY-TOKEN');
    });

    it('shows no value of one when a patch does not fit', () => {
      const patch = [{ op: 'test', path: '/data/k', value: 'eA==' }];
      const overrides = [{ match: {}, patches: [{ target: { kind: 'Secret' }, patch }] }];
      const { findings } = render({
        objects: [secret({ data: { k: 'Q0FOQVJZLVRPS0VO' } })],
        overrides,
      });
      expect(findings[0]).toMatchObject({ code: 'PatchInvalid' });
      expect(JSON.stringify(findings)).not.toMatch(/CANARY-TOKEN|Q0FOQVJZLVRPS0VO/);
    });
  });
});
