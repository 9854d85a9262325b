import type { KubernetesObject } from '../ports';
import { changesOfDesired, fieldChanges } from './fieldChanges';

function deployment(metadata: object, podSpec: object): KubernetesObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', ...metadata },
    spec: { template: { spec: podSpec } },
  };
}

describe('fieldChanges', () => {
  it('leaves out what changes with every write', () => {
    const before = deployment(
      {
        resourceVersion: '1',
        generation: 1,
        managedFields: [],
        annotations: { 'multicluster-release.io/stamp': 'a/1.1' },
      },
      {},
    );
    const after = deployment(
      {
        resourceVersion: '2',
        generation: 2,
        uid: 'u',
        annotations: {
          'multicluster-release.io/stamp': 'a/2.1',
          'multicluster-release.io/content': 'd',
        },
      },
      {},
    );
    expect(fieldChanges(before, after)).toEqual([]);
  });

  it('compares list entries by name and points into the list that they are in', () => {
    const before = deployment(
      {},
      {
        containers: [
          { name: 'old', image: 'o:1' },
          { name: 'web', image: 'w:1' },
        ],
      },
    );
    const after = deployment(
      {},
      {
        containers: [
          { name: 'web', image: 'w:2' },
          { name: 'new', image: 'n:1' },
        ],
      },
    );
    expect(fieldChanges(before, after)).toEqual([
      {
        kind: 'changed',
        pointer: '/spec/template/spec/containers/0/image',
        before: 'w:1',
        after: 'w:2',
      },
      {
        kind: 'added',
        pointer: '/spec/template/spec/containers/1',
        after: { name: 'new', image: 'n:1' },
      },
      {
        kind: 'removed',
        pointer: '/spec/template/spec/containers/0',
        before: { name: 'old', image: 'o:1' },
      },
    ]);
  });

  it('escapes keys in pointers', () => {
    const changes = fieldChanges(
      deployment({ labels: {} }, {}),
      deployment({ labels: { 'acme.io/tier~1': 'x' } }, {}),
    );
    expect(changes).toEqual([
      { kind: 'added', pointer: '/metadata/labels/acme.io~1tier~01', after: 'x' },
    ]);
  });

  it('compares lists without names by position', () => {
    const changes = fieldChanges(
      deployment({}, { args: ['a', 'b', 'c'] }),
      deployment({}, { args: ['a', 'x'] }),
    );
    expect(changes).toEqual([
      { kind: 'changed', pointer: '/spec/template/spec/args/1', before: 'b', after: 'x' },
      { kind: 'removed', pointer: '/spec/template/spec/args/2', before: 'c' },
    ]);
  });
});

describe('changesOfDesired', () => {
  it('looks only at what the manifest names', () => {
    const live = deployment(
      { labels: { filled: 'yes' } },
      {
        restartPolicy: 'Always',
        containers: [{ name: 'm', image: 'm:1', imagePullPolicy: 'Always' }],
      },
    );
    expect(
      changesOfDesired(live, deployment({}, { containers: [{ name: 'm', image: 'm:2' }] })),
    ).toEqual([
      {
        kind: 'changed',
        pointer: '/spec/template/spec/containers/0/image',
        before: 'm:1',
        after: 'm:2',
      },
    ]);
  });
});
