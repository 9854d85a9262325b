import { clusterStateOfError } from './ClusterError';
import { concernsSecrets, describeSubject } from './describeSubject';
import { errorFromAnswer } from './errorFromAnswer';

const context = {
  cluster: 'eu-1',
  method: 'PATCH',
  subject: 'deployments/shop/web',
  secret: false,
};

function status(reason: string, message: string, causes: object[] = [], more: object = {}) {
  return { kind: 'Status', apiVersion: 'v1', reason, message, details: { causes, ...more } };
}

describe('errorFromAnswer', () => {
  it.each([
    [400, 'invalid', false, 'ok'],
    [401, 'unauthorized', false, 'unauthorized'],
    [403, 'forbidden', false, 'unauthorized'],
    [404, 'notFound', false, 'ok'],
    [405, 'invalid', false, 'ok'],
    [409, 'conflict', false, 'ok'],
    [410, 'gone', false, 'ok'],
    [415, 'invalid', false, 'ok'],
    [422, 'invalid', false, 'ok'],
    [429, 'throttled', true, 'ok'],
    [500, 'server', true, 'unreachable'],
    [503, 'server', true, 'unreachable'],
    [504, 'timeout', true, 'timeout'],
  ])('takes %i as %s, retryable %s, cluster %s', (code, kind, retryable, state) => {
    const error = errorFromAnswer(context, code, status('Reason', 'text'), {});
    expect(error).toMatchObject({
      name: 'ClusterError',
      cluster: 'eu-1',
      kind,
      retryable,
      status: code,
    });
    expect(clusterStateOfError(error.kind)).toBe(state);
  });

  it('leads with cluster and object and ends with what to do', () => {
    const body = status('Forbidden', 'deployments.apps "web" is forbidden: no');
    expect(errorFromAnswer(context, 403, body, {}).message).toBe(
      'eu-1: deployments/shop/web: PATCH answered 403 Forbidden: deployments.apps "web" is forbidden: no. Grant this to the identity that Multicluster Release uses on this cluster.',
    );
  });

  it('keeps the managers of a conflict', () => {
    const causes = [
      {
        reason: 'FieldManagerConflict',
        message: 'conflict with "kubectl" using v1',
        field: '.spec',
      },
    ];
    const error = errorFromAnswer(context, 409, status('Conflict', 'Apply failed', causes), {});
    expect(error.reason).toBe('Conflict');
    expect(error.causes).toEqual([
      {
        field: '.spec',
        reason: 'FieldManagerConflict',
        message: 'conflict with "kubectl" using v1',
      },
    ]);
  });

  it.each([
    ['in the body', status('TooManyRequests', 'slow', [], { retryAfterSeconds: 7 }), {}, 7],
    ['in the header', 'slow down', { 'retry-after': '3' }, 3],
    ['nowhere', 'slow down', {}, undefined],
  ])('reads how long to wait: %s', (_, body, headers, seconds) => {
    expect(errorFromAnswer(context, 429, body, headers).retryAfterSeconds).toBe(seconds);
  });

  it('takes a 500 in the form of Backstage as a cluster that its proxy did not reach', () => {
    const body = {
      error: { name: 'Error', message: 'connect ECONNREFUSED' },
      response: { statusCode: 500 },
    };
    expect(errorFromAnswer(context, 500, body, {})).toMatchObject({
      kind: 'unreachable',
      retryable: true,
    });
  });

  it.each([
    ['a page of a load balancer', 502, '<html>Bad gateway</html>'],
    ['nothing', 500, ''],
    ['an unknown object', 500, { a: 1 }],
    ['a list', 500, []],
  ])('takes %s', (_, code, body) => {
    expect(errorFromAnswer(context, code, body, {}).kind).toBe('server');
  });

  it('does not repeat a text without end', () => {
    const { message } = errorFromAnswer(context, 422, status('Invalid', 'x'.repeat(100_000)), {});
    expect(message.length).toBeLessThan(1_300);
  });
});

/** Field case C14: the API server quotes the object in its answer. */
describe('an answer about a Secret', () => {
  const secret = { ...context, subject: 'secrets/t/s4', secret: true };
  const quoting = status(
    'Invalid',
    'Secret "s4" is invalid: data[k]: Invalid value: "CANARY-TOKEN": map[k:Q0FOQVJZLVRPS0VO]',
    [
      { reason: 'FieldValueInvalid', message: 'Invalid value: "CANARY-TOKEN"', field: 'data[k]' },
      {
        reason: 'FieldManagerConflict',
        message: 'conflict with "kubectl-edit" using v1',
        field: '.data.k',
      },
    ],
  );

  it('keeps only the field paths', () => {
    const error = errorFromAnswer(secret, 422, quoting, {});
    expect(JSON.stringify({ ...error, text: error.message, stack: error.stack })).not.toMatch(
      /CANARY-TOKEN|Q0FOQVJZLVRPS0VO/,
    );
    expect(error.message).toContain('at data[k], .data.k');
    expect(error.causes.map(cause => cause.message)).toEqual([
      undefined,
      'conflict with "kubectl-edit" using v1',
    ]);
  });

  it('repeats nothing of an answer that is no Status', () => {
    expect(errorFromAnswer(secret, 400, 'json: cannot use CANARY-TOKEN', {}).message).not.toContain(
      'CANARY',
    );
  });

  it.each([
    ['/api/v1/namespaces/t/secrets/s4', undefined, true],
    ['/api/v1/namespaces/t/secrets', {}, true],
    ['/api/v1/secrets', undefined, true],
    ['/api/v1/namespaces/secrets', undefined, false],
    ['/api/v1/namespaces/secrets/pods', undefined, false],
    ['/apis/apps/v1/namespaces/t/deployments', { kind: 'Deployment' }, false],
    ['/somewhere', { kind: 'Secret' }, true],
    ['/somewhere', '{"apiVersion":"v1","kind":"Secret"}', true],
    ['/somewhere', 'apiVersion: v1\nkind: Secret\n', true],
    ['/somewhere', 'kind: SecretStore\n', false],
  ])('is known by path and body: %s %j is %s', (path, body, expected) => {
    expect(concernsSecrets(path, body)).toBe(expected);
  });
});

describe('describeSubject', () => {
  it.each([
    ['/api/v1/namespaces/shop/pods/web-1', 'pods/shop/web-1'],
    ['/apis/apps/v1/namespaces/shop/deployments', 'deployments/shop'],
    ['/apis/apps/v1/deployments', 'deployments'],
    ['/api/v1/namespaces/shop', 'namespaces/shop'],
    ['/api/v1/nodes/n1', 'nodes/n1'],
    ['/version', '/version'],
  ])('%s is %s', (path, subject) => {
    expect(describeSubject(path)).toBe(subject);
  });
});
