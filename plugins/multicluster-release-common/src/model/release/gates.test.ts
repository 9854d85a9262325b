import { parseDocuments } from '../parseDocuments';
import { releaseWith } from '../testing/examples';

const JOB = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'smoke' },
  spec: {
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'smoke', image: 'a:1' }] } },
  },
};

function faultsOf(step: object, policy: object = {}): string[] {
  const text = releaseWith(
    `type: Canary\ncanary: {steps: [${JSON.stringify({ group: 'canary', ...step })}]}`,
    `  policy: ${JSON.stringify(policy)}\n`,
  );
  return parseDocuments(text).errors.map(({ path, message }) =>
    `${path}: ${message}`.replace('spec.strategy.canary.steps[0].', ''),
  );
}

const withEnv = (env: object[]) => ({
  ...JOB,
  spec: {
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'smoke', env }] } },
  },
});

describe('job gates', () => {
  it('accept a Job that ends by itself', () => {
    const quiet = { name: 'CSRF_TOKEN_URL', value: 'http://smoke' };
    const kept = { name: 'DB_PASSWORD', valueFrom: { secretKeyRef: { name: 'db', key: 'it' } } };
    expect(
      faultsOf({
        jobs: [
          { manifest: JOB },
          { manifest: { ...withEnv([quiet, kept]), metadata: { name: 'load' } } },
        ],
      }),
    ).toEqual([]);
  });

  // prettier-ignore
  it.each<[string, object, string[]]>([
    ['another kind', { ...JOB, apiVersion: 'v1', kind: 'Pod' }, ['jobs[0].manifest.kind: must be a Job of batch/v1, and is Pod of v1']],
    ['no name', { ...JOB, metadata: {} }, ['jobs[0].manifest.metadata.name: must be there: at most 40 lower-case letters, digits and -, to which stage, release and attempt are added']],
    ['a name that leaves no room', { ...JOB, metadata: { name: 'x'.repeat(41) } }, ['jobs[0].manifest.metadata.name: must be there: at most 40 lower-case letters, digits and -, to which stage, release and attempt are added']],
    ['a namespace of its own', { ...JOB, metadata: { name: 'smoke', namespace: 'other' } }, ['jobs[0].manifest.metadata.namespace: must be left out: the Job runs in the namespace of its cluster']],
    ['nothing to run', { ...JOB, spec: {} }, [
      'jobs[0].manifest.spec.template.spec.containers: must be there: what shall the Job run?',
      'jobs[0].manifest.spec.template.spec.restartPolicy: must be Never or OnFailure, as for every Job',
    ]],
    ['a Job that never ends', { ...JOB, spec: { ...JOB.spec, suspend: true } }, ['jobs[0].manifest.spec.suspend: must not be true: the Job would never end']],
    ['a Job that is gone before it is read', { ...JOB, spec: { ...JOB.spec, ttlSecondsAfterFinished: 5 } }, ['jobs[0].manifest.spec.ttlSecondsAfterFinished: must be left out: the Job is removed with the release that ran it, and not before it is read']],
    ['a password in clear text', withEnv([{ name: 'DB_PASSWORD', value: 'hunter2' }]), ['jobs[0].manifest.spec.template.spec.containers[0].env[0]: holds a secret in clear text: keep it in a Secret on the clusters, and refer to that with valueFrom.secretKeyRef']],
  ])('refuse %s', (_name, manifest, faults) => {
    expect(faultsOf({ jobs: [{ manifest }] })).toEqual(faults);
  });

  it('name a Secret in clear text and never its value', () => {
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'db' },
      stringData: { it: 'hunter2' },
    };
    const faults = faultsOf({ jobs: [{ manifest: secret }] });
    expect(faults).toContain(
      'jobs[0].manifest: holds a secret in clear text: keep it in a Secret on the clusters, and refer to that with valueFrom.secretKeyRef',
    );
    expect(faults.join()).not.toContain('hunter2');
  });

  it('refuse two Jobs of one name', () => {
    expect(faultsOf({ jobs: [{ manifest: JOB }, { manifest: JOB }] })).toEqual([
      'jobs[1].manifest.metadata.name: smoke is there twice: each Job of a step needs a name of its own',
    ]);
  });
});

describe('approvals', () => {
  // prettier-ignore
  it.each<[object, string[]]>([
    [{}, []],
    [{ required: 2, from: ['group:default/sre'] }, []],
    [{ required: 2, from: ['user:default/a', 'user:default/b'] }, []],
    [{ required: 2, from: ['user:default/a', 'User:default/A'] }, ['approval.required: is 2, and from names only 1: name more people, or a group']],
    [{ from: ['component:default/a'] }, ['approval.from[0]: must be a user or a group, and is component:default/a']],
    [{ required: 0 }, ['approval.required: must be at least 1']],
  ])('%j', (approval, faults) => {
    expect(faultsOf({ approval })).toEqual(faults);
  });
});

describe('windows', () => {
  // prettier-ignore
  it.each<[object, string[]]>([
    [{ cron: '0 9 * * *', duration: '3h30m', timeZone: 'Europe/London', kind: 'allow' }, []],
    [{ cron: '0 18 * * *', duration: '1h', kind: 'deny' }, []],
    [{ cron: '* 7-24 * * 0-6', duration: '1h', timeZone: 'Europe/Amsterdam', kind: 'allow' }, ['spec.policy.windows[0].cron: hour has 24, and takes 0 to 23']],
    [{ cron: '0 9 * * *', duration: '1h', timeZone: 'Asia/Shangai', kind: 'allow' }, ['spec.policy.windows[0].timeZone: must be the name of a time zone such as Asia/Shanghai, and is "Asia/Shangai"; did you mean `Asia/Shanghai`?']],
    [{ cron: '0 9 * * *', duration: '0s', kind: 'allow' }, ['spec.policy.windows[0].duration: must be a duration such as 10m, 1h30m or 45s, above zero']],
  ])('%j', (window, faults) => {
    expect(faultsOf({}, { windows: [window] })).toEqual(faults);
  });
});
