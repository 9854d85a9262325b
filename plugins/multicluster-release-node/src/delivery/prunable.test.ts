import { pruneCandidates } from './prunable';

const configMap = (namespace: string, name: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  namespace,
  name,
});

const JOB = { apiVersion: 'batch/v1', kind: 'Job', namespace: 'team-a', name: 'smoke-1-0' };

/** Field case C13. */
const inventory = [
  { ...configMap('team-a', 'app'), createdByUs: true },
  { apiVersion: 'v1', kind: 'Namespace', name: 'team-a', createdByUs: false },
  { apiVersion: 'v1', kind: 'Secret', namespace: 'team-a', name: 'tls', createdByUs: false },
  { apiVersion: 'v1', kind: 'Namespace', name: 'team-b', createdByUs: true },
];

describe('pruneCandidates (field case C13)', () => {
  const rules = {
    service: 'component:default/app',
    inventory,
    content: [configMap('team-b', 'app')],
    pruneAlso: [],
    prune: true,
  };
  const names = (changed: object) =>
    pruneCandidates({ ...rules, ...changed }).map(({ kind, namespace, name }) =>
      [kind, namespace, name].filter(Boolean).join('/'),
    );

  it.each([
    ['what we made and the content does not have', {}, ['ConfigMap/team-a/app']],
    [
      'namespaces that we made, where the template names the kind',
      { pruneAlso: ['Namespace'] },
      ['ConfigMap/team-a/app', 'Namespace/team-b'],
    ],
    ['nothing where pruning is off', { prune: false }, []],
    [
      'helpers of a release, also where pruning is off',
      { prune: false, inventory: [...inventory, { ...JOB, createdByUs: true, helper: true }] },
      ['Job/team-a/smoke-1-0'],
    ],
    [
      'what we made, where nothing of ours shall stay',
      { prune: false, content: [] },
      ['ConfigMap/team-a/app'],
    ],
  ])('are %s', (_name, changed, expected) => {
    expect(names(changed)).toEqual(expected);
  });
});
