import { inApplyOrder } from './applyOrder';

describe('inApplyOrder', () => {
  it('brings what others need first, and what may refuse others last', () => {
    const kinds = [
      'ValidatingAdmissionPolicy',
      'Queue',
      'Deployment',
      'Ingress',
      'Service',
      'Secret',
      'ConfigMap',
      'ServiceAccount',
      'CustomResourceDefinition',
      'Namespace',
    ];
    expect(
      inApplyOrder(kinds.map(kind => ({ kind }))).map(group => group.map(({ kind }) => kind)),
    ).toEqual([
      ['Namespace'],
      ['CustomResourceDefinition'],
      ['ServiceAccount'],
      ['Secret', 'ConfigMap'],
      ['Service'],
      ['Deployment'],
      ['Queue', 'Ingress'],
      ['ValidatingAdmissionPolicy'],
    ]);
  });
});
