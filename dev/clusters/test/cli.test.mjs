import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cli, temporaryFolder } from './support.mjs';

describe('wrong input is told with the way out', () => {
  const cases = [
    { given: ['upp'], says: /^upp: no such command; there are up, down, / },
    { given: ['up'], says: /^up: no cluster is named; write for example "up cluster-a/ },
    { given: ['up', 'Cluster_A'], says: /^Cluster_A: not a name for a cluster; use up to 40/ },
    { given: ['up', 'etcd'], says: /^etcd: taken; / },
    { given: ['up', 'one-admin'], says: /^one-admin: taken; / },
    { given: ['up', 'one', '--force'], says: /^--force: no such option; there are --data, / },
    { given: ['up', 'one', '--timeout', 'long'], says: /^--timeout long: not a number; / },
    { given: ['up', 'one', '--parent-pid'], says: /^--parent-pid: its value is missing; / },
    {
      given: ['up', 'one', '--parent-pid', '999999999'],
      says: /^process 999999999: not running; /,
    },
    { given: ['kill'], says: /^kill: no cluster is named; / },
    { given: ['kill', 'one'], says: /^one: there are no clusters in .*; start some with "up/ },
    { given: ['down', 'one'], says: /^one: there are no clusters in / },
    { given: ['kubeconfig'], says: /no clusters there; start some with "up/ },
    { given: ['kubectl', 'get', 'pods'], says: /no clusters there; start some with "up/ },
  ];
  for (const { given, says } of cases) {
    it(given.join(' '), async test => {
      const { code, stdout, stderr } = await cli(temporaryFolder(test), ...given);
      assert.match(stderr, says);
      assert.deepEqual([code, stdout], [1, '']);
    });
  }
});

it('down where nothing runs is no error', async test => {
  const { code, stdout } = await cli(temporaryFolder(test), 'down');
  assert.deepEqual([code, stdout], [0, 'nothing was running\n']);
});
