import { liftHold } from '../commands/actions/liftHold';
import type { ReleaseRun } from '../decide';
import { listHolds } from '../store';
import { states, waitsAt, waitsFor } from '../testing/runs';
import { canary, gateJob, oneByOne } from '../testing/samples';
import { SERVICE, type Person } from '../testing/smallBackend';
import { suiteOnRealClusters } from '../testing/suiteOnRealClusters';

const CLUSTERS = ['orders-a', 'orders-b', 'orders-c'];
const [A, B, C] = CLUSTERS;
const SRE = 'group:default/sre';
const ANN: Person = { ref: 'user:default/ann', groups: [SRE] };
const SUE: Person = { ref: 'user:default/sue', groups: [SRE] };
const TOM: Person = { ref: 'user:default/tom', groups: [SRE] };
const PAT: Person = { ref: 'user:default/pat', groups: ['group:default/shop'] };

const ONE_BY_ONE = oneByOne(CLUSTERS);
const NEW = CLUSTERS.map(() => '2.0.0');
const OLD = CLUSTERS.map(() => '1.0.0');

describe('controls over real clusters', () => {
  const { inScene } = suiteOnRealClusters({ names: CLUSTERS, prefix: 'orders' });

  it.concurrent('promote takes one step, or all that are left (C51)', () =>
    inScene(async ({ backend, start, act, versions, told }) => {
      const id = await start('2.0.0', ONE_BY_ONE);
      await backend.until(id, waitsAt(0));
      expect(await versions()).toEqual(['2.0.0', '1.0.0', '1.0.0']);
      await act(id, 'promote', { expectedStage: 0 });
      await backend.until(id, waitsAt(1));
      expect(await versions()).toEqual(['2.0.0', '2.0.0', '1.0.0']);
      // Whoever looked at the first step has not seen the second.
      await expect(act(id, 'promote', { expectedStage: 0 })).rejects.toMatchObject({
        code: 'StageMoved',
      });
      await act(id, 'promote', { expectedStage: 1, full: true, reason: 'enough seen' }, SUE);
      expect(await backend.ended(id)).toMatchObject({ state: 'Succeeded' });
      expect(await versions()).toEqual(NEW);
      expect(await told(id, 'Promoted')).toEqual([
        'user:default/ann Promoted',
        'user:default/sue Promoted (enough seen)',
      ]);
    }),
  );

  it.concurrent('a pause lets nothing start until somebody resumes', () =>
    inScene(async ({ backend, start, act, versions, fingerprint, told }) => {
      const id = await start('2.0.0', ONE_BY_ONE);
      await backend.until(id, waitsAt(0));
      await act(id, 'pause', { reason: 'lunch' }, SUE);
      await backend.until(id, ({ state }) => state === 'Paused');
      const before = await fingerprint();
      await act(id, 'promote', { full: true });
      const paused = await backend.until(id, ({ stages }) => stages[0].promotedBy !== undefined);
      expect(paused.waiting[0]).toMatchObject({ code: 'paused', who: SUE.ref });
      expect(await fingerprint()).toEqual(before);
      await act(id, 'resume', {}, TOM);
      expect(await backend.ended(id)).toMatchObject({ state: 'Succeeded' });
      expect(await versions()).toEqual(NEW);
      expect(await told(id, 'Paused', 'Resumed')).toEqual([
        'user:default/sue Paused (lunch)',
        'user:default/tom Resumed',
      ]);
    }),
  );

  it.concurrent('who stops it here keeps what is done, and starts nothing more', () =>
    inScene(async ({ backend, start, act, versions, told }) => {
      const id = await start('2.0.0', ONE_BY_ONE);
      await backend.until(id, waitsAt(0));
      await act(id, 'abort', { reason: 'one is enough' }, SUE);
      const run = await backend.ended(id);
      expect(run.state).toBe('Aborted');
      expect(states(run)).toEqual(['Done', 'Skipped', 'Skipped']);
      expect(await versions()).toEqual(['2.0.0', '1.0.0', '1.0.0']);
      expect(await told(id, 'AbortRequested', 'ReleaseAborted')).toEqual([
        'user:default/sue AbortRequested (one is enough)',
        'user:default/sue ReleaseAborted (one is enough)',
      ]);
    }),
  );

  it.concurrent('a failed cluster is tried again once what was in its way is gone', () =>
    inScene(async ({ backend, start, act, versions, kubectl, told }) => {
      const id = await start('2.0.0', {
        ...ONE_BY_ONE,
        policy: { onFailure: 'Pause', timeout: '60s' },
      });
      await backend.until(id, waitsAt(0));
      // From now on the API server there admits no pod of this namespace.
      await kubectl(B, 'create', 'quota', 'none', '--hard=pods=0');
      await act(id, 'promote');
      await backend.until(id, waitsFor('budget'));
      expect(await versions()).toEqual(['2.0.0', '2.0.0', '1.0.0']);
      expect(states(await backend.run(id))[1]).toBe('Failed');
      await kubectl(B, 'delete', 'quota', 'none');
      // The controller tries again after ever longer pauses; news of its object end them.
      await kubectl(B, 'annotate', 'replicasets', '--all', 'example.org/news=quota');
      await kubectl(B, 'rollout', 'status', 'deployment', 'checkout', '--timeout=60s');
      await act(id, 'retry', { reason: 'quota is gone' }, SUE);
      await backend.until(id, waitsAt(1));
      await act(id, 'promote', { full: true });
      const run = await backend.ended(id);
      expect([run.state, ...states(run)]).toEqual(['Succeeded', 'Done', 'Done', 'Done']);
      expect(await versions()).toEqual(NEW);
      expect(await told(id, 'TargetFailed', 'RetryRequested')).toEqual([
        `system TargetFailed ${B}`,
        'user:default/sue RetryRequested (quota is gone)',
      ]);
    }),
  );

  it.concurrent('a skipped cluster stays as it is, and the others go on', () =>
    inScene(async ({ backend, namespace, start, act, versions, told }) => {
      const id = await start('2.0.0', ONE_BY_ONE);
      await backend.until(id, waitsAt(0));
      const targets = [{ cluster: B, namespace }];
      await act(id, 'skip-cluster', { targets, reason: 'moves tomorrow' }, SUE);
      await act(id, 'promote', { full: true });
      const run = await backend.ended(id);
      expect([run.state, ...states(run)]).toEqual(['Succeeded', 'Done', 'Skipped', 'Done']);
      expect(await versions()).toEqual(['2.0.0', '1.0.0', '2.0.0']);
      expect(await told(id, 'ClustersSkipped', 'TargetSkipped')).toEqual([
        'user:default/sue ClustersSkipped (moves tomorrow)',
        `user:default/sue TargetSkipped ${B}`,
      ]);
    }),
  );

  it.concurrent('a cool-down ends early where somebody says so', () =>
    inScene(async ({ backend, start, act, versions, told }) => {
      const id = await start('2.0.0', canary({ clusters: [A, B], pause: '1h' }));
      await backend.until(id, waitsFor('soak'));
      expect(await versions()).toEqual(['2.0.0', '2.0.0', '1.0.0']);
      await act(id, 'skip-wait', { expectedStage: 0, reason: 'urgent fix' }, SUE);
      // The last cluster has the same cool-down.
      await backend.until(id, waitsAt(1, 'soak'));
      expect(await versions()).toEqual(NEW);
      await act(id, 'skip-wait', { expectedStage: 1 });
      expect(await backend.ended(id)).toMatchObject({ state: 'Succeeded' });
      expect(await told(id, 'WaitSkipped')).toEqual([
        'user:default/sue WaitSkipped (urgent fix)',
        'user:default/ann WaitSkipped',
      ]);
    }),
  );

  it.concurrent('two people of a group agree to the plan that they saw', () =>
    inScene(async ({ backend, start, act, versions, told }) => {
      const approval = { required: 2, from: [SRE], when: 'before' };
      const id = await start('2.0.0', canary({ clusters: [A] }, { clusters: [B, C], approval }));
      const asked = await backend.until(id, waitsAt(1, 'approval'));
      expect(asked.waiting[0]).toMatchObject({ params: { n: 2, who: SRE } });
      expect(await versions()).toEqual(['2.0.0', '1.0.0', '1.0.0']);
      const planHash = asked.plans[0].hash;
      const refusedFor = (by: Person, request = { planHash }) =>
        act(id, 'approve', request, by).then(
          () => 'approved',
          ({ code, params }) => `${code} ${params.reason ?? ''}`,
        );
      expect(await refusedFor(ANN)).toBe('NotAllowed SelfApproval');
      expect(await refusedFor(PAT)).toBe('NotAllowed NotAsked');
      expect(await refusedFor(SUE, { planHash: 'another' })).toBe('PlanChanged ');
      await act(id, 'approve', { planHash, reason: 'read it' }, SUE);
      await act(id, 'approve', { planHash }, SUE);
      const half = await backend.until(id, ({ waiting }) => waiting[0]?.params.n === 1);
      expect(half.stages[1].approvals?.[0].votes).toHaveLength(1);
      expect(await versions()).toEqual(['2.0.0', '1.0.0', '1.0.0']);
      await act(id, 'approve', { planHash }, TOM);
      expect(await backend.ended(id)).toMatchObject({ state: 'Succeeded' });
      expect(await versions()).toEqual(NEW);
      expect(await told(id, 'Approved', 'ApprovalPassed')).toEqual([
        'user:default/sue Approved (read it)',
        'user:default/tom Approved',
        'system ApprovalPassed',
      ]);
    }),
  );

  it.concurrent('a no sends back what is there', () =>
    inScene(async ({ backend, start, act, versions, told }) => {
      const approval = { from: [SRE] };
      const id = await start('2.0.0', canary({ clusters: [A, B], approval }));
      await backend.until(id, waitsAt(0, 'approval'));
      expect(await versions()).toEqual(['2.0.0', '2.0.0', '1.0.0']);
      await expect(act(id, 'reject', { reason: 'too short' }, SUE)).rejects.toThrow(/reason/);
      await act(id, 'reject', { reason: 'orders are lost in it' }, SUE);
      expect(await backend.ended(id)).toMatchObject({ state: 'RolledBack' });
      expect(await versions()).toEqual(OLD);
      expect(await told(id, 'Rejected', 'RollbackStarted')).toEqual([
        'user:default/sue Rejected (orders are lost in it)',
        'user:default/sue RollbackStarted (rejected by user:default/sue: orders are lost in it)',
      ]);
    }),
  );

  it.concurrent('a gate is skipped with a reason: a question, and a Job that runs', () =>
    inScene(async ({ backend, start, act, versions, kubectl, told }) => {
      const jobs = [gateJob('smoke', 'registry.example.org/shop/nopull:1')];
      const approval = { from: [SRE], when: 'before' };
      const id = await start(
        '2.0.0',
        canary({ clusters: [A], approval }, { clusters: [B], jobs }, { clusters: [C] }),
      );
      await backend.until(id, waitsAt(0, 'approval'));
      expect(await versions()).toEqual(OLD);
      await expect(act(id, 'skip-gate', { reason: 'short' }, SUE)).rejects.toThrow(/reason/);
      await act(id, 'skip-gate', { reason: 'everybody is asleep' }, SUE);
      const isAtJob = ({ targets }: ReleaseRun) => targets[1].phases.at(-1)?.name === 'analyse';
      await backend.until(id, run => isAtJob(run) && waitsAt(1, 'ready')(run));
      expect(await versions()).toEqual(['2.0.0', '2.0.0', '1.0.0']);
      await act(id, 'skip-gate', { reason: 'its image is missing' }, TOM);
      expect(await backend.ended(id)).toMatchObject({ state: 'Succeeded' });
      expect(await versions()).toEqual(NEW);
      expect(await kubectl(B, 'get', 'jobs', '-o', 'name')).toBe('');
      expect(await told(id, 'GateSkipped')).toEqual([
        'user:default/sue GateSkipped (everybody is asleep)',
        'user:default/tom GateSkipped (its image is missing)',
      ]);
    }),
  );

  it.concurrent('a Job that fails on one cluster sends the release back', () =>
    inScene(async ({ backend, start, versions, kubectl, told }) => {
      const jobs = [gateJob('smoke', 'registry.example.org/shop/broken-smoke:1')];
      const id = await start('2.0.0', canary({ clusters: [A] }, { clusters: [B], jobs }));
      expect(await backend.ended(id)).toMatchObject({ state: 'RolledBack' });
      expect(await versions()).toEqual(OLD);
      const failed = '{.items[?(@.reason=="BackoffLimitExceeded")].involvedObject.name}';
      const ran = await kubectl(B, 'get', 'events', '-o', `jsonpath=${failed}`);
      expect(ran).toMatch(/^smoke-2-\d+-0$/);
      expect(await kubectl(B, 'get', 'jobs', '-o', 'name')).toBe('');
      expect(await told(id, 'TargetFailed', 'ReleaseRolledBack')).toEqual([
        `system TargetFailed ${B}`,
        'system ReleaseRolledBack',
      ]);
    }),
  );

  it.concurrent('a version on hold comes back only after somebody has lifted the hold', () =>
    inScene(async ({ backend, start, act, released, versions }) => {
      const id = await start('2.0.0', ONE_BY_ONE);
      await backend.until(id, waitsAt(0));
      await act(id, 'rollback', { reason: 'it leaks' });
      await backend.ended(id);
      await expect(start('2.0.0')).rejects.toMatchObject({ code: 'OnHold' });
      expect(await versions()).toEqual(OLD);
      const holds = () => listHolds(backend.database, { services: [SERVICE], limit: 10 });
      const [hold] = (await holds()).items;
      expect(hold).toMatchObject({ version: '2.0.0', reason: 'it leaks' });
      const order = { holdId: hold.id, actor: SUE, reason: 'was the network' };
      await liftHold(backend.commands, order);
      expect((await holds()).items).toEqual([]);
      expect(await released('2.0.0')).toMatchObject({ state: 'Succeeded' });
      expect(await versions()).toEqual(NEW);
    }),
  );

  it.concurrent('a second release waits in the queue, and is looked at anew if it has to be', () =>
    inScene(async ({ backend, start, act, versions, told }) => {
      const first = await start('2.0.0', ONE_BY_ONE);
      const second = await start('4.0.0', {}, { by: SUE });
      const queued = await backend.until(second, waitsFor('queue'));
      expect(queued).toMatchObject({ state: 'Pending', queuedBehind: first });
      await backend.until(first, waitsAt(0));
      expect(await versions()).toEqual(['2.0.0', '1.0.0', '1.0.0']);
      await act(first, 'abort', { reason: 'no longer needed' });
      await backend.ended(first);
      // It was planned to follow 2.0.0 everywhere: a person has to see what became of that.
      const { planChanged } = await backend.until(second, waitsFor('planChanged'));
      expect(await versions()).toEqual(['2.0.0', '1.0.0', '1.0.0']);
      await act(second, 'accept', { planHash: planChanged?.hash }, SUE);
      expect(await backend.ended(second)).toMatchObject({ state: 'Succeeded' });
      expect(await versions()).toEqual(CLUSTERS.map(() => '4.0.0'));
      expect(await told(second, 'ReleaseCreated', 'PlanChanged', 'ChangeAccepted')).toEqual([
        'user:default/sue ReleaseCreated',
        'system PlanChanged',
        'user:default/sue ChangeAccepted',
      ]);
    }),
  );

  it.concurrent('a newer release takes the place of a running one where its policy says so', () =>
    inScene(async ({ backend, start, versions, told }) => {
      const first = await start('2.0.0', ONE_BY_ONE);
      await backend.until(first, waitsAt(0));
      const policy = { onNewer: 'Supersede' };
      const second = await start('4.0.0', { policy }, { by: SUE, reason: 'repairs 2.0.0' });
      expect(await backend.ended(first)).toMatchObject({ state: 'Superseded' });
      expect(await backend.ended(second)).toMatchObject({ state: 'Succeeded' });
      expect(await versions()).toEqual(CLUSTERS.map(() => '4.0.0'));
      expect(await told(first, 'ReleaseSuperseded')).toEqual([
        expect.stringMatching(/^user:default\/sue ReleaseSuperseded/),
      ]);
      expect(await told(second, 'ReleaseCreated')).toEqual([
        'user:default/sue ReleaseCreated (repairs 2.0.0)',
      ]);
    }),
  );

  it.concurrent(
    'a release that waited behind one that went back writes where that one has been',
    () =>
      inScene(async ({ backend, start, act, versions, told }) => {
        const first = await start('2.0.0', ONE_BY_ONE);
        const second = await start('4.0.0', {}, { by: SUE });
        const queued = await backend.until(second, waitsFor('queue'));
        expect(queued).toMatchObject({ state: 'Pending', queuedBehind: first });
        await backend.until(first, waitsAt(0));
        expect(await versions()).toEqual(['2.0.0', '1.0.0', '1.0.0']);
        await act(first, 'rollback', { reason: 'no longer needed' });
        await backend.ended(first);
        // It was planned to follow 2.0.0: a person has to see what became of that.
        const { planChanged } = await backend.until(second, waitsFor('planChanged'));
        expect(await versions()).toEqual(OLD);
        await act(second, 'accept', { planHash: planChanged?.hash }, SUE);
        expect(await backend.ended(second)).toMatchObject({ state: 'Succeeded' });
        expect(await versions()).toEqual(CLUSTERS.map(() => '4.0.0'));
        expect(await told(second, 'ReleaseCreated', 'PlanChanged', 'ChangeAccepted')).toEqual([
          'user:default/sue ReleaseCreated',
          'system PlanChanged',
          'user:default/sue ChangeAccepted',
        ]);
      }),
  );
});
