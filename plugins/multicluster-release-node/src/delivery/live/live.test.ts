import type { KubernetesObject } from '../../ports';
import { serviceLabel } from '../serviceLabel';
import { isScaled, replicasDecision, scaledByContent } from './autoscalers';
import { dropTakenFields } from './dropTakenFields';
import { lostOwners } from './lostOwners';
import type { ManagedFields } from './managedFields';
import { bearsOurMark, foreignOwner, hasNewerStamp } from './owners';
import { withPredecessorsTakenOver } from './takeOver';

const SERVICE = 'component:default/shop';
const STAMP = 'multicluster-release.io/stamp';

function deployment(metadata: object, spec: object = {}): KubernetesObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'shop', namespace: 't1', ...metadata },
    spec,
  };
}

function managed(
  manager: string,
  operation: 'Apply' | 'Update',
  fieldsV1: object,
  subresource?: string,
): ManagedFields {
  return {
    manager,
    operation,
    apiVersion: 'apps/v1',
    fieldsType: 'FieldsV1',
    fieldsV1: fieldsV1 as {},
    subresource,
  };
}

const REPLICAS = { 'f:spec': { 'f:replicas': {} } };

describe('foreignOwner', () => {
  it.each([
    ['nobody', {}, undefined],
    ['us', { annotations: { [STAMP]: `${SERVICE}/1.1` } }, undefined],
    [
      'us, by label',
      { labels: { 'multicluster-release.io/service': serviceLabel(SERVICE) } },
      undefined,
    ],
    [
      'another service',
      { annotations: { [STAMP]: 'component:default/cart/1.1' } },
      'service component:default/cart',
    ],
    ['a stamp that cannot be read', { annotations: { [STAMP]: 'odd' } }, 'service odd'],
    [
      'another service, by label',
      { labels: { 'multicluster-release.io/service': 'cart-0123456789' } },
      'another service (multicluster-release.io/service: cart-0123456789)',
    ],
    [
      'Helm',
      { annotations: { 'meta.helm.sh/release-name': 'shop' } },
      'Helm (meta.helm.sh/release-name: shop)',
    ],
    [
      'nobody, although a chart rendered it',
      { labels: { 'app.kubernetes.io/managed-by': 'Helm' } },
      undefined,
    ],
    [
      'Argo CD',
      { annotations: { 'argocd.argoproj.io/tracking-id': 'shop:apps/Deployment' } },
      'Argo CD (argocd.argoproj.io/tracking-id: shop:apps/Deployment)',
    ],
    [
      'Argo CD, by manager',
      { managedFields: [managed('argocd-controller', 'Apply', {})] },
      'Argo CD (field manager argocd-controller)',
    ],
    [
      'Flux',
      { labels: { 'kustomize.toolkit.fluxcd.io/name': 'shop' } },
      'Flux (kustomize.toolkit.fluxcd.io/name: shop)',
    ],
  ])('is %s', (_name, metadata, owner) => {
    expect(foreignOwner(deployment(metadata), SERVICE)).toBe(owner);
  });

  it('lets services share namespaces', () => {
    const namespace = {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 't1', annotations: { [STAMP]: 'component:default/cart/1.1' } },
    };
    expect(foreignOwner(namespace, SERVICE)).toBeUndefined();
  });
});

describe('marks', () => {
  const stamped = (text: string) => deployment({ annotations: { [STAMP]: text } });
  it.each([
    [`${SERVICE}/2.1`, true],
    [`${SERVICE}/1.5`, true],
    [`${SERVICE}/1.4`, false],
    [`${SERVICE}/1.3`, false],
    ['component:default/cart/9.9', false],
  ])('%s is newer than 1.4: %s', (text, newer) => {
    expect(hasNewerStamp(stamped(text), { service: SERVICE, sequence: 1, ticket: 4 })).toBe(newer);
  });

  it('are the stamp or the label of the same service', () => {
    expect(bearsOurMark(stamped(`${SERVICE}/1.1`), SERVICE)).toBe(true);
    expect(bearsOurMark(stamped('component:default/cart/1.1'), SERVICE)).toBe(false);
    expect(
      bearsOurMark(
        deployment({ labels: { 'multicluster-release.io/service': serviceLabel(SERVICE) } }),
        SERVICE,
      ),
    ).toBe(true);
    expect(bearsOurMark(deployment({}), SERVICE)).toBe(false);
  });
});

describe('replica counts of autoscaled objects (field case C06)', () => {
  const live = (...managedFields: ManagedFields[]) =>
    deployment({ managedFields }, { replicas: 8 });
  const ours = managed('multicluster-release', 'Apply', REPLICAS);
  it.each([
    [
      'the manifest says two, we alone own it',
      { replicas: 2 },
      live(ours),
      { decision: 'handOver', replicas: 8 },
    ],
    [
      'the manifest drops it, we alone own it',
      {},
      live(ours),
      { decision: 'handOver', replicas: 8 },
    ],
    [
      'the manifest drops it, client-side apply owns it and will end',
      {},
      live(managed('kubectl-client-side-apply', 'Update', REPLICAS)),
      { decision: 'handOver', replicas: 8 },
    ],
    [
      'the autoscaler owns it',
      { replicas: 2 },
      live(managed('kube-controller-manager', 'Update', REPLICAS, 'scale')),
      { decision: 'leave', replicas: 8 },
    ],
    [
      'it was handed over before',
      { replicas: 2 },
      live(ours, managed('multicluster-release-handover', 'Apply', REPLICAS)),
      { decision: 'leave', replicas: 8 },
    ],
    ['the manifest says what is live', { replicas: 8 }, live(ours), { decision: 'asWritten' }],
    ['there is no live object', { replicas: 2 }, undefined, { decision: 'asWritten' }],
  ])('%s', (_name, spec, object, decision) => {
    expect(replicasDecision(deployment({}, spec), object)).toEqual(decision);
  });

  it('belong to the object that the autoscaler names', () => {
    const autoscaler = (scaleTargetRef: object, namespace = 't1') => ({
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'shop', namespace },
      spec: { scaleTargetRef },
    });
    const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'shop' };
    expect(isScaled(deployment({}), scaledByContent([autoscaler(target)]))).toBe(true);
    expect(
      isScaled(deployment({}), scaledByContent([autoscaler({ ...target, name: 'other' })])),
    ).toBe(false);
    expect(
      isScaled(deployment({}), scaledByContent([autoscaler({ ...target, kind: 'StatefulSet' })])),
    ).toBe(false);
    expect(isScaled(deployment({}), scaledByContent([autoscaler(target, 't2')]))).toBe(false);
  });
});

describe('taking over from client-side apply', () => {
  it('moves its fields into our entry and leaves controllers and subresources alone', () => {
    const status = managed('kube-controller-manager', 'Update', { 'f:status': {} }, 'status');
    const scale = managed('kubectl', 'Update', REPLICAS, 'scale');
    const object = deployment({
      managedFields: [
        managed('kubectl-client-side-apply', 'Update', { 'f:spec': { 'f:paused': {} } }),
        managed('multicluster-release', 'Apply', REPLICAS),
        status,
        scale,
      ],
    });
    expect(withPredecessorsTakenOver(object, 'multicluster-release')).toEqual([
      expect.objectContaining({
        manager: 'multicluster-release',
        operation: 'Apply',
        fieldsV1: { 'f:spec': { 'f:replicas': {}, 'f:paused': {} } },
      }),
      status,
      scale,
    ]);
  });

  it('has nothing to do where only we and controllers write', () => {
    expect(
      withPredecessorsTakenOver(
        deployment({ managedFields: [managed('multicluster-release', 'Apply', REPLICAS)] }),
        'multicluster-release',
      ),
    ).toBeUndefined();
  });

  it('drops what our manifest does not have and nobody else owns', () => {
    const containers = (...entries: object[]) => ({ template: { spec: { containers: entries } } });
    const live = deployment(
      { labels: { app: 'shop', team: 'x', cost: '7' } },
      {
        paused: true,
        minReadySeconds: 5,
        ...containers(
          { name: 'web', image: 'w:1', tty: true },
          { name: 'side', image: 's:1', imagePullPolicy: 'Always' },
        ),
      },
    );
    const taken = {
      'f:metadata': { 'f:labels': { '.': {}, 'f:app': {}, 'f:team': {}, 'f:cost': {} } },
      'f:spec': {
        'f:paused': {},
        'f:template': {
          'f:spec': {
            'f:containers': {
              'k:{"name":"web"}': { '.': {}, 'f:name': {}, 'f:image': {}, 'f:tty': {} },
              'k:{"name":"side"}': { '.': {}, 'f:name': {}, 'f:image': {} },
            },
          },
        },
      },
    };
    const desired = deployment(
      { labels: { app: 'shop' } },
      containers({ name: 'web', image: 'w:1' }),
    );
    const others = [{ 'f:metadata': { 'f:labels': { 'f:cost': {} } } }];
    expect(dropTakenFields(live, taken, desired, others)).toEqual(
      deployment(
        { labels: { app: 'shop', cost: '7' } },
        { minReadySeconds: 5, ...containers({ name: 'web', image: 'w:1' }) },
      ),
    );
  });
});

describe('lostOwners', () => {
  it('names whom a forced apply takes a field from, and neither us nor who keeps all', () => {
    const before = deployment({
      managedFields: [
        managed('kubectl-edit', 'Update', { 'f:spec': { 'f:replicas': {}, 'f:paused': {} } }),
        managed('sidecar-injector', 'Update', { 'f:metadata': { 'f:labels': { 'f:mesh': {} } } }),
        managed('multicluster-release', 'Apply', REPLICAS),
      ],
    });
    const after = deployment({
      managedFields: [
        managed('kubectl-edit', 'Update', { 'f:spec': { 'f:paused': {} } }),
        managed('sidecar-injector', 'Update', { 'f:metadata': { 'f:labels': { 'f:mesh': {} } } }),
      ],
    });
    expect(lostOwners(before, after)).toEqual(['kubectl-edit']);
  });
});
