import { ClusterError } from '../clusters/errors/ClusterError';
import type { ClusterErrorKind } from '../clusters/types';
import type { KubernetesObject } from '../ports';
import { createdByUs } from './inventory';
import { FenceClosedError } from './live/FenceClosedError';
import { isDryRunRefusal, isImmutableRefusal } from './live/refusals';
import { outcomeOfError } from './outcomeOfError';
import { worstOutcome } from './worstOutcome';

function clusterError(
  kind: ClusterErrorKind,
  more: Partial<ConstructorParameters<typeof ClusterError>[0]> = {},
) {
  return new ClusterError({
    cluster: 'cluster-a',
    kind,
    message: `cluster-a: x: ${kind}`,
    ...more,
  });
}

describe('outcomeOfError', () => {
  it.each<[ClusterErrorKind, string]>([
    ['unreachable', 'unreachable'],
    ['timeout', 'unreachable'],
    // Nothing is known about the content, so it is no failure of the version.
    ['unauthorized', 'unreachable'],
    ['aborted', 'leaseLost'],
    ['conflict', 'retry'],
    ['throttled', 'retry'],
    ['server', 'retry'],
    ['gone', 'retry'],
    ['forbidden', 'refused'],
    ['invalid', 'refused'],
    ['notFound', 'refused'],
    ['refusedByConfiguration', 'refused'],
  ])('%s is %s', (kind, result) => {
    expect(outcomeOfError(clusterError(kind), [])).toMatchObject({
      result,
      message: expect.stringContaining('cluster-a: x: '),
    });
  });

  it.each([
    [
      'an object that does not fit its schema, although API servers answer 500',
      clusterError('server', { status: 500, message: 'failed to create typed patch object' }),
      'refused',
    ],
    [
      'a namespace that is just going away',
      clusterError('forbidden', { causes: [{ reason: 'NamespaceTerminating' }] }),
      'retry',
    ],
    ['a closed fence', new FenceClosedError('cluster-a: x'), 'leaseLost'],
  ])('%s', (_name, error, result) => {
    expect(outcomeOfError(error, [])).toMatchObject({ result });
  });

  it('repeats no value of a Secret of the content', () => {
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's' },
      data: { k: 'Q0FOQVJZLVRPS0VO' },
    };
    const outcome = outcomeOfError(
      clusterError('invalid', {
        message: 'cluster-a: Deployment/t/web: CANARY-TOKEN is no number',
      }),
      [secret],
    );
    expect(outcome).toMatchObject({
      message: 'cluster-a: Deployment/t/web: (masked) is no number',
    });
  });

  it('is not for faults of our own', () => {
    expect(() => outcomeOfError(new TypeError('ours'), [])).toThrow('ours');
  });
});

describe('worstOutcome', () => {
  it('puts a lost lease before everything, and says all of one kind', () => {
    expect(
      worstOutcome([
        { result: 'retry', message: 'a' },
        { result: 'refused', message: 'b' },
        { result: 'refused', message: 'c' },
      ]),
    ).toEqual({ result: 'refused', message: 'b c' });
    expect(
      worstOutcome([
        { result: 'refused', message: 'b' },
        { result: 'leaseLost', message: 'd' },
      ]),
    ).toEqual({ result: 'leaseLost', message: 'd' });
    expect(worstOutcome([])).toBeUndefined();
  });
});

describe('refusals', () => {
  const live = (kind: string, more: object = {}): KubernetesObject => ({
    apiVersion: 'v1',
    kind,
    metadata: { name: 'x' },
    ...more,
  });
  it.each([
    [
      'an immutable field',
      clusterError('invalid', { message: 'spec.selector: Invalid value: {}: field is immutable' }),
      live('Deployment'),
      true,
    ],
    [
      'a StatefulSet',
      clusterError('invalid', {
        message:
          "spec: Forbidden: updates to statefulset spec for fields other than 'replicas' are forbidden",
      }),
      live('StatefulSet'),
      true,
    ],
    [
      'a Job, whose text is cut',
      clusterError('invalid', { causes: [{ field: 'spec.template' }] }),
      live('Job'),
      true,
    ],
    [
      'a Job with an unfit image',
      clusterError('invalid', { causes: [{ field: 'spec.template.spec.containers[0].image' }] }),
      live('Job'),
      false,
    ],
    [
      'an immutable Secret, whose text is withheld',
      clusterError('invalid'),
      live('Secret', { immutable: true }),
      true,
    ],
    [
      'an object that is not there',
      clusterError('invalid', { message: 'field is immutable' }),
      undefined,
      false,
    ],
    [
      'any other fault',
      clusterError('invalid', { message: 'spec.replicas: must be at least 0' }),
      live('Deployment'),
      false,
    ],
  ])('%s can only be replaced', (_name, error, object, expected) => {
    expect(isImmutableRefusal(error, object)).toBe(expected);
  });

  it('know a webhook that takes no dry runs', () => {
    expect(
      isDryRunRefusal(
        clusterError('invalid', { message: 'admission webhook "a.b" does not support dry run' }),
      ),
    ).toBe(true);
    expect(isDryRunRefusal(clusterError('invalid', { message: 'denied' }))).toBe(false);
  });
});

describe('createdByUs (field case C13)', () => {
  const service = 'component:default/shop';
  const item = (createdBy: boolean, uid?: string) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: 'x',
    uid,
    createdByUs: createdBy,
  });
  const object = (uid: string, stamped = false): KubernetesObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'x',
      uid,
      ...(stamped && { annotations: { 'multicluster-release.io/stamp': `${service}/1.1` } }),
    },
  });
  it.each([
    ['it is not there yet', undefined, undefined, true],
    ['it was there before us', undefined, object('u'), false],
    [
      'it was there before us, and we have written to it since',
      item(false, 'u'),
      object('u', true),
      false,
    ],
    ['the record has its uid', item(true, 'u'), object('u'), true],
    ['we made it, and ended before its uid was recorded', item(true), object('u', true), true],
    ['we wanted to make it, and somebody else did', item(true), object('u'), false],
    ['somebody made it anew', item(true, 'u'), object('other'), false],
  ])('%s', (_name, recorded, live, expected) => {
    expect(createdByUs(recorded, live, service)).toBe(expected);
  });
});
it('tries again where an API server that has just come back does not know our rights yet', () => {
  const message =
    'deployments.apps "web" is forbidden: User "multicluster-release" cannot patch resource "deployments"';
  expect(outcomeOfError(clusterError('forbidden', { message }), [])).toMatchObject({
    result: 'retry',
  });
});
