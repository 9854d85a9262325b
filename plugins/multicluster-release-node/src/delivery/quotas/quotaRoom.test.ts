import { quotaRoom } from './readQuotas';

function quota(hard: object, used: object) {
  return {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'team' },
    status: { hard, used },
  };
}

describe('quotaRoom', () => {
  it.each<[string, object, object, object]>([
    [
      'what is left',
      { pods: '10', 'requests.cpu': '2', 'requests.memory': '1Gi' },
      { pods: '7', 'requests.cpu': '1500m', 'requests.memory': '512Mi' },
      { pods: 3, cpu: 0.5, memory: 536870912 },
    ],
    ['the short names', { cpu: '2', 'count/pods': '4' }, { cpu: '2' }, { cpu: 0, pods: 4 }],
    ['more used than allowed is nothing left', { pods: '2' }, { pods: '5' }, { pods: 0 }],
    ['only what is bounded', { 'limits.cpu': '4', services: '3' }, {}, {}],
  ])('%s', (_name, hard, used, free) => {
    expect(quotaRoom(quota(hard, used))).toEqual({ name: 'team', free });
  });
});
