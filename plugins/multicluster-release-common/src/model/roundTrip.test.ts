import fc from 'fast-check';
import { stringify } from 'yaml';
import { parseDocuments } from './parseDocuments';

/*
 * Documents that must be accepted, for property tests. Words that YAML reads as
 * truth values or numbers are among the names on purpose.
 */

const name = fc.oneof(
  fc.constantFrom('on', 'y', 'no', 'null', '0644', '1e3', '1.30', 'true'),
  fc
    .array(fc.constantFrom(...'abcxyz019'), { minLength: 1, maxLength: 12 })
    .map(letters => letters.join('')),
);
const groupName = fc.constantFrom('on', 'y', '0644', '1e3', 'gray');
const duration = fc
  .tuple(fc.nat(23), fc.nat(59))
  .map(([hours, minutes]) => `${hours}h${minutes + 1}m`);
const percent = fc.integer({ min: 1, max: 100 }).map(value => `${value}%`);
const count = fc.oneof(fc.integer({ min: 1, max: 500 }), percent);
const labels = fc.dictionary(name, name, { maxKeys: 3 });
const names = fc.uniqueArray(name, { minLength: 1, maxLength: 4 });

function some(fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> {
  return fc.record(fields, { requiredKeys: [] });
}

const labelSelector = fc.oneof(
  labels,
  some({
    matchLabels: labels,
    matchExpressions: fc.array(
      fc.record({ key: name, operator: fc.constant('In'), values: names }),
      { maxLength: 2 },
    ),
  }),
);
const select = some({
  labels: labelSelector,
  regions: names,
  clusters: names,
  exclude: names,
  kubernetesVersion: fc.constantFrom('>=1.30', '1.x', '*'),
});

const policySpec = some({
  sync: fc.constantFrom('Push', 'Pull', 'Watch', 'PullWatch'),
  order: fc.oneof(
    fc.constantFrom('groups', 'all'),
    fc.record({ by: fc.constant('priority'), label: name }),
  ),
  maxConcurrency: count,
  timeout: duration,
  retries: fc.nat(9),
  maxFailures: fc.nat(9),
  onFailure: fc.constantFrom(
    'RollbackTouched',
    'RollbackStage',
    'RollbackFailedOnly',
    'Pause',
    'Continue',
  ),
  offline: some({ policy: fc.constantFrom('Wait', 'Skip', 'Fail'), after: duration }),
  prune: fc.boolean(),
});

const pause = fc.oneof(duration, fc.constant({}), fc.record({ duration }), fc.constant(null));
const steps = fc.array(
  fc.oneof(fc.record({ group: groupName, pause }), fc.record({ clusters: names, pause })),
  { minLength: 1, maxLength: 4 },
);
const strategy = fc.oneof(
  fc.record({ type: fc.constant('Canary'), canary: fc.record({ steps }) }),
  fc.record({
    type: fc.constant('RollingUpdate'),
    rollingUpdate: fc.record({
      mode: fc.constant('Batched'),
      batches: fc.oneof(count, fc.constant('groups'), fc.constant(['20%', '100%'])),
      stabilize: duration,
    }),
  }),
);

const metadata = fc.record({ name });
const apiVersion = fc.constant('multicluster-release.io/v1');

const arbitraryDocument = fc.oneof(
  fc.record({ apiVersion, kind: fc.constant('DistributionPolicy'), metadata, spec: policySpec }),
  fc.record({
    apiVersion,
    kind: fc.constant('PlacementRule'),
    metadata,
    spec: fc.record({
      select,
      namespace: fc.constant('production'),
      groups: fc.uniqueArray(fc.record({ name: fc.constantFrom('on', 'a', 'b'), match: select }), {
        selector: group => group.name,
      }),
    }),
  }),
  fc.record({
    apiVersion,
    kind: fc.constant('ClusterRelease'),
    metadata,
    spec: fc.record({
      targetVersion: fc.constantFrom('2.10', '2.1.0', 'v3', 'on'),
      placement: name,
      policy: fc.oneof(name, policySpec),
      strategy,
    }),
  }),
);

const PRINTERS: [string, (document: object) => string][] = [
  ['JSON', document => JSON.stringify(document)],
  ['indented JSON', document => JSON.stringify(document, undefined, 2)],
  [
    'YAML',
    document =>
      stringify(document, {
        version: '1.1',
        defaultStringType: 'QUOTE_DOUBLE',
        aliasDuplicateObjects: false,
      }),
  ],
];

describe('a document', () => {
  it.each(PRINTERS)('survives printing as %s and parsing', (_name, print) => {
    fc.assert(
      fc.property(arbitraryDocument, document => {
        expect(parseDocuments(print(document))).toMatchObject({
          errors: [],
          documents: [{ document }],
        });
      }),
    );
  });
});
