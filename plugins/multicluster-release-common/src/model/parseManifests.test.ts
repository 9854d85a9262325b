import { parseManifests } from './parseManifests';

describe('parseManifests', () => {
  it('keeps every key, also those that no model knows (field case C03)', () => {
    const { objects, errors } = parseManifests(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.acme.io}
spec: {schema: {x-kubernetes-preserve-unknown-fields: yes, x-kubernetes-list-map-keys: [port]}}
`);
    expect(errors).toEqual([]);
    expect(objects).toEqual([
      {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'boxes.acme.io' },
        spec: {
          schema: {
            'x-kubernetes-preserve-unknown-fields': true,
            'x-kubernetes-list-map-keys': ['port'],
          },
        },
      },
    ]);
  });

  it('opens lists, in order', () => {
    const { objects, errors } = parseManifests(`apiVersion: v1
kind: List
items:
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
  - apiVersion: v1
    kind: SecretList
    items: [{metadata: {name: b}}, {apiVersion: v1, kind: Secret, metadata: {name: c}}]
---
apiVersion: acme.io/v1
kind: AllowList
metadata: {name: d}
spec: {items: [x]}
`);
    expect(errors).toEqual([]);
    expect(objects.map(({ kind, metadata }) => [kind, metadata])).toEqual([
      ['ConfigMap', { name: 'a' }],
      ['Secret', { name: 'b' }],
      ['Secret', { name: 'c' }],
      ['AllowList', { name: 'd' }],
    ]);
  });

  it('says what is no object, and where', () => {
    const { objects, errors } = parseManifests(
      'apiVersion: v1\nkind: List\nitems: [{kind: Pod}]\n---\nhello\n---\na: 1\na: 2',
      {
        name: 'k8s/app.yaml',
      },
    );
    expect(objects).toEqual([]);
    const message = 'is no Kubernetes object: apiVersion and kind must be there, as text';
    expect(errors).toEqual([
      {
        document: 'k8s/app.yaml, document 3',
        path: 'a',
        message: 'is given twice: take one out',
        line: 8,
        column: 1,
      },
      { document: 'k8s/app.yaml, document 1', path: 'items[0]', message, line: 1, column: 1 },
      { document: 'k8s/app.yaml, document 2', path: '', message, line: 5, column: 1 },
    ]);
  });
});
