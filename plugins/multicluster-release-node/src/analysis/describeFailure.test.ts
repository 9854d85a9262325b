import { describeFailure } from './describeFailure';

describe('why there is no answer', () => {
  const withCode = (code: string) => Object.assign(new Error('with a secret'), { code });

  it.each([
    [
      'SELF_SIGNED_CERT_IN_CHAIN',
      'has a certificate that is not trusted (SELF_SIGNED_CERT_IN_CHAIN); caFile',
    ],
    ['CERT_HAS_EXPIRED', 'has a certificate that is not trusted (CERT_HAS_EXPIRED)'],
    ['ENOTFOUND', 'has a name that nobody knows'],
    ['UND_ERR_CONNECT_TIMEOUT', 'does not answer in time'],
    ['ECONNRESET', 'broke the connection (ECONNRESET)'],
  ])('%s is said in words', (code, message) => {
    expect(describeFailure(withCode(code))).toContain(message);
    expect(describeFailure(withCode(code))).not.toContain('secret');
  });

  it('finds the code below several addresses that were tried', () => {
    const all = new AggregateError([withCode('ECONNREFUSED'), withCode('ECONNREFUSED')]);
    expect(describeFailure(all)).toContain('refuses the connection');
  });
});
