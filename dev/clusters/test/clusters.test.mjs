import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { findPart } from '../lib/parts.mjs';
import { endRecorded, inspectProcess } from '../lib/processes.mjs';
import { request } from '../lib/request.mjs';
import {
  CLI,
  cli,
  cliJson,
  eventually,
  makeFolder,
  removeFolder,
  run,
  temporaryData,
} from './support.mjs';

/** Two real clusters, started once. What a test makes, it names after itself. */
describe('real clusters', () => {
  /** @type {string} */
  let data;
  /** @type {any} */
  let started;
  /** @type {any} The kubeconfig. */
  let config;

  before(async () => {
    data = makeFolder();
    started = await cliJson(data, 'up', 'one', 'two', '--parent-pid', String(process.pid));
    config = JSON.parse(fs.readFileSync(started.kubeconfig, 'utf8'));
    await kubectl('one-admin', 'create namespace shop');
  });
  after(async () => {
    await cli(data, 'down');
    removeFolder(data);
  });

  /** @param {string} context @param {string} parameters Parted by spaces. @param {object} [object] */
  async function kubectl(context, parameters, object) {
    const { code, stdout, stderr } = await tryKubectl(context, parameters, object);
    assert.equal(code, 0, stderr);
    return stdout;
  }

  /** @param {string} context @param {string} parameters Parted by spaces. @param {object} [object] */
  function tryKubectl(context, parameters, object) {
    return run(started.binary, ['kubectl', '--context', context, ...parameters.split(' ')], {
      input: object && JSON.stringify(object),
      environment: {
        ...process.env,
        KUBECONFIG: started.kubeconfig,
        KUBECACHEDIR: path.join(data, 'kubectl-cache'),
      },
    });
  }

  /** @param {string} context @param {string} what */
  async function get(context, what) {
    return JSON.parse(await kubectl(context, `get -n shop -o json ${what}`));
  }

  /** Applies as the product does: server-side, with its own identity. @param {object} object */
  function apply(object, context = 'one') {
    return kubectl(context, 'apply --server-side -f -', object);
  }

  /** Whether all parts of a cluster work together: each has its share in a rollout. @param {string} context @param {string} name */
  async function checkRollout(context, name) {
    await apply(
      { ...deployment(name, 'example/web:1'), metadata: { name, namespace: 'kept' } },
      context,
    );
    await kubectl(context, `rollout status -n kept deployment/${name} --timeout=60s`);
  }

  /** @param {string} context @param {string} requestPath @param {object} [options] */
  function ask(context, requestPath, options) {
    const { cluster, user } = config.contexts.find(({ name }) => name === context).context;
    const { server, ...tls } = config.clusters.find(({ name }) => name === cluster).cluster;
    return request(
      {
        port: Number(new URL(server).port),
        authority: Buffer.from(tls['certificate-authority-data'], 'base64'),
        token: config.users.find(({ name }) => name === user).user.token,
      },
      requestPath,
      options,
    );
  }

  it('says what it has started', () => {
    assert.deepEqual(
      started.clusters.map(({ name, state, ready, context, adminContext }) => ({
        name,
        state,
        ready,
        context,
        adminContext,
      })),
      ['one', 'two'].map(name => ({
        name,
        state: 'running',
        ready: true,
        context: name,
        adminContext: `${name}-admin`,
      })),
    );
  });

  it('has the version of its sources, and two ready nodes with room', async () => {
    const { body: version } = await ask('one', '/version');
    assert.equal(version.gitVersion, 'v1.36.3');
    assert.equal(`${version.major}.${version.minor}`, '1.36');
    const { items } = await get('one', 'nodes');
    assert.deepEqual(
      items.map(({ status }) => status.allocatable),
      Array(2).fill({ cpu: '32', memory: '64Gi', pods: '250' }),
    );
  });

  it('leaves clusters alone that run', async () => {
    const again = await cliJson(data, 'up', 'one', 'two');
    assert.deepEqual(
      again.clusters.map(({ started: wasStarted, parts }) => ({ wasStarted, parts: pids(parts) })),
      started.clusters.map(({ parts }) => ({ wasStarted: false, parts: pids(parts) })),
    );
  });

  it('makes a Deployment ready for the least-privilege identity', async () => {
    await apply(deployment('web', 'example/web:1.0.0'));
    await kubectl('one', 'rollout status -n shop deployment/web --timeout=60s');
  });

  it('lets a broken image crash while the old pods stay', async () => {
    await apply(deployment('checkout', 'example/checkout:2.0.0'));
    await kubectl('one', 'rollout status -n shop deployment/checkout --timeout=60s');
    await apply(deployment('checkout', 'example/checkout:3.0.0'));
    await eventually('a pod of checkout crashes', async () => {
      const { items } = await get('one', 'pods -l app=checkout');
      return items.some(pod => waitingReason(pod) === 'CrashLoopBackOff');
    });
    const { status } = await get('one', 'deployment/checkout');
    assert.equal(status.readyReplicas, 3);
    await eventually('the crashing pod is restarted', async () => {
      const { items } = await get('one', 'pods -l app=checkout');
      return items.some(
        pod =>
          waitingReason(pod) === 'CrashLoopBackOff' &&
          pod.status.containerStatuses[0].restartCount > 1,
      );
    });
  });

  it('leaves an image waiting that cannot be pulled', async () => {
    await apply(deployment('absent', 'example/nopull:1'));
    await eventually('a pod waits for its image', async () => {
      const { items } = await get('one', 'pods -l app=absent');
      return items.some(pod => waitingReason(pod) === 'ImagePullBackOff');
    });
  });

  it('completes a Job, and fails one with a broken image', async () => {
    await apply(job('migrate', 'example/migrate:1'));
    await apply(job('migrate-broken', 'example/broken:1'));
    await kubectl('one', 'wait -n shop --for=condition=Complete job/migrate --timeout=60s');
    await kubectl('one', 'wait -n shop --for=condition=Failed job/migrate-broken --timeout=60s');
  });

  it('binds the claims of a StatefulSet, and forgets their volumes with them', async () => {
    await apply(statefulSet('db'));
    await kubectl('one', 'rollout status -n shop statefulset/db --timeout=60s');
    const { items } = await get('one', 'persistentvolumeclaims');
    assert.deepEqual(
      items.map(({ status }) => [status.phase, status.capacity.storage]),
      [
        ['Bound', '3Gi'],
        ['Bound', '3Gi'],
      ],
    );
    await kubectl('one', 'delete -n shop statefulset,persistentvolumeclaim --all --wait=false');
    await eventually('the volumes are gone', async () => {
      const volumes = await get('one-admin', 'persistentvolumes');
      return volumes.items.length === 0;
    });
  });

  it('says when a quota refuses pods', async () => {
    await kubectl('one-admin', 'create namespace tight');
    await kubectl('one-admin', 'create quota pods -n tight --hard=pods=0');
    await eventually('the quota is counted', async () => {
      const quota = await kubectl('one-admin', 'get -n tight -o json quota/pods');
      return JSON.parse(quota).status?.hard?.pods;
    });
    await apply({
      ...deployment('web', 'example/web:1'),
      metadata: { name: 'web', namespace: 'tight' },
    });
    await kubectl(
      'one',
      'wait -n tight --for=condition=ReplicaFailure deployment/web --timeout=60s',
    );
  });

  it('refuses the least-privilege identity what would give it more', async () => {
    for (const resource of ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings']) {
      const { stdout } = await tryKubectl('one', `auth can-i create ${resource} -n shop`);
      assert.equal(stdout.trim(), 'no', resource);
    }
  });

  it('keeps clusters apart', async () => {
    const { stderr } = await tryKubectl('two', 'get namespace shop');
    assert.match(stderr, /NotFound/);
    const foreign = config.users.find(({ name }) => name === 'two').user.token;
    const { stderr: refused } = await tryKubectl('one', `--token ${foreign} get nodes`);
    assert.match(refused, /Unauthorized|logged in/);
  });

  it('is not trusted by somebody with another authority', async () => {
    const elsewhere = path.join(data, 'elsewhere');
    await run(started.binary, ['pki', elsewhere]);
    const foreign = path.join(elsewhere, 'ca.crt');
    const { code, stderr } = await tryKubectl(
      'one',
      `--certificate-authority ${foreign} get nodes`,
    );
    assert.notEqual(code, 0);
    assert.match(stderr, /certificate signed by unknown authority|x509/);
  });

  it('comes back after a kill at the same address, with its data', async () => {
    await kubectl('two', 'create namespace kept');
    await checkRollout('two', 'before');
    await cliJson(data, 'kill', 'two');
    await assert.rejects(ask('two', '/readyz'), { code: 'ECONNREFUSED' });
    assert.equal((await statusOf('two')).state, 'degraded');

    const { clusters } = await cliJson(data, 'up', 'two');
    assert.equal(clusters[0].started, true);
    assert.equal(clusters[0].server, started.clusters[1].server);
    await kubectl('two', 'get -n kept deployment/before');
    await checkRollout('two', 'after-kill');
  });

  it('does not answer while it is frozen, and answers again when thawed', async () => {
    await cliJson(data, 'freeze', 'two');
    await assert.rejects(ask('two', '/readyz', { timeoutMilliseconds: 500 }), {
      name: 'AbortError',
    });
    const { state, ready } = await statusOf('two');
    assert.deepEqual({ state, ready }, { state: 'frozen', ready: false });

    await cliJson(data, 'thaw', 'two');
    assert.equal((await ask('two', '/readyz')).status, 200);
  });

  it('comes back after down with its data, also when it was frozen', async () => {
    await cliJson(data, 'freeze', 'two');
    assert.deepEqual((await cliJson(data, 'down', 'two')).stopped, ['two']);
    assert.equal((await statusOf('two')).state, 'stopped');
    assert.equal((await statusOf('one')).state, 'running');

    await cliJson(data, 'up', 'two');
    await kubectl('two', 'get -n kept deployment/before');
    await checkRollout('two', 'after-down');
  });

  it('comes back after the store under all of them was killed', async () => {
    await cliJson(data, 'kill', 'etcd');
    // An API server looks at its store once in a second at most.
    await eventually('two is not ready', async () => !(await statusOf('two')).ready);

    await cliJson(data, 'up', 'one', 'two');
    await checkRollout('two', 'after-kill-of-store');
  });

  it('says which part has ended, and starts it again', async () => {
    await endRecorded(findPart(data, 'two', 'kwok').record);
    const { state, missing } = await statusOf('two');
    assert.deepEqual({ state, missing }, { state: 'degraded', missing: ['kwok'] });
    assert.match(
      (await cli(data, 'status')).stdout,
      /^two: degraded \(kwok ended; "up two" starts it again\), https:/m,
    );
    await cliJson(data, 'up', 'two');
    await checkRollout('two', 'after-end-of-kwok');
  });

  it('is not ready while a part does none of its work, and says which', async () => {
    await kubectl('two-admin', 'create quota no-pods -n kube-system --hard=pods=0');
    await eventually('the quota is counted', async () => {
      const quota = await kubectl('two-admin', 'get -n kube-system -o json quota/no-pods');
      return JSON.parse(quota).status?.hard?.pods;
    });
    await endRecorded(findPart(data, 'two', 'kwok').record);
    const { code, stderr } = await cli(data, 'up', 'two', '--timeout', '3');
    assert.deepEqual(await leftInSystem('deployments'), []);
    await kubectl('two-admin', 'delete quota no-pods -n kube-system');
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^two: controller-manager makes no pod for a Deployment after 3 s; read .*controller-manager\.log/m,
    );
  });

  it('is put on trial again after one that failed, once, and nothing is left of either', async () => {
    assert.equal((await cliJson(data, 'up', 'two')).clusters[0].started, true);
    assert.deepEqual(await leftInSystem('deployments,replicasets,pods'), []);
    assert.equal((await cliJson(data, 'up', 'two')).clusters[0].started, false);
  });

  it('owes a trial where the store came back for another one', async () => {
    await cliJson(data, 'kill', 'etcd');
    assert.equal((await cliJson(data, 'up', 'one')).clusters[0].started, true);
    assert.equal((await cliJson(data, 'up', 'two')).clusters[0].started, true);
    assert.equal((await cliJson(data, 'up', 'two')).clusters[0].started, false);
  });

  /** @param {string} kinds Parted by commas. */
  async function leftInSystem(kinds) {
    return JSON.parse(await kubectl('two-admin', `get -n kube-system -o json ${kinds}`)).items;
  }

  /** @param {string} cluster */
  async function statusOf(cluster) {
    const { clusters } = await cliJson(data, 'status');
    return clusters.find(({ name }) => name === cluster);
  }
});

describe('the supervisor', () => {
  it('ends everything when the parent dies, also what is frozen', async test => {
    const data = temporaryData(test);
    const parent = spawn('sleep', ['600']);
    const { clusters, etcd, supervisors } = await cliJson(
      data,
      'up',
      'solo',
      '--parent-pid',
      String(parent.pid),
    );
    await cliJson(data, 'freeze', 'solo');
    assert.equal(supervisors.length, 1);
    const processes = [...Object.values(pids(clusters[0].parts)), etcd.pid, ...supervisors];
    assert.ok(processes.every(inspectProcess));

    parent.kill('SIGKILL');
    await eventually('all processes are gone', () => !processes.some(inspectProcess));
  });

  it('ends also what is only starting, and the start itself', async test => {
    const data = temporaryData(test);
    const parent = spawn('sleep', ['600']);
    const starting = cli(data, 'up', 'solo', '--parent-pid', String(parent.pid));
    await eventually('the API server is starting', () =>
      fs.existsSync(path.join(data, 'run', 'solo', 'apiserver.json')),
    );
    parent.kill('SIGKILL');

    const { code, stderr } = await starting;
    assert.equal(code, 1);
    assert.match(stderr, /ended while its clusters were starting/);
    await eventually('nothing runs', async () => {
      const { clusters, etcd, supervisors } = await cliJson(data, 'status');
      return clusters[0].state === 'stopped' && !etcd && supervisors.length === 0;
    });
  });

  it('ends everything when up --foreground is killed', async test => {
    const data = temporaryData(test);
    const foreground = spawn(
      process.execPath,
      [CLI, '--data', data, '--foreground', 'up', 'solo'],
      { stdio: 'ignore' },
    );
    test.after(() => foreground.kill());
    await eventually('solo is ready', async () => {
      const { clusters } = await cliJson(data, 'status');
      return clusters[0]?.state === 'running' && clusters[0].ready;
    });
    foreground.kill('SIGKILL');
    await eventually('nothing runs', async () => {
      const { clusters, etcd } = await cliJson(data, 'status');
      return clusters[0].state === 'stopped' && !etcd;
    });
  });
});

/** @param {Record<string, { pid: number }>} parts */
function pids(parts) {
  return Object.fromEntries(Object.entries(parts).map(([name, { pid }]) => [name, pid]));
}

/** @param {any} pod */
function waitingReason(pod) {
  return pod.status.containerStatuses?.[0].state.waiting?.reason;
}

/** @param {string} name @param {string} image */
function deployment(name, image) {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop' },
    spec: {
      replicas: 3,
      selector: { matchLabels: { app: name } },
      template: podTemplate(name, image),
    },
  };
}

/** @param {string} name */
function statefulSet(name) {
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name, namespace: 'shop' },
    spec: {
      replicas: 2,
      serviceName: name,
      selector: { matchLabels: { app: name } },
      template: podTemplate(name, 'example/db:1'),
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '3Gi' } } },
        },
      ],
    },
  };
}

/** @param {string} name @param {string} image */
function job(name, image) {
  const template = podTemplate(name, image);
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace: 'shop' },
    spec: {
      backoffLimit: 0,
      template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } },
    },
  };
}

/** @param {string} app @param {string} image */
function podTemplate(app, image) {
  return {
    metadata: { labels: { app } },
    spec: {
      initContainers: [{ name: 'prepare', image: 'example/prepare:1' }],
      containers: [{ name: 'main', image }],
    },
  };
}
