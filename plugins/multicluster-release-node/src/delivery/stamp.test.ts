import { serviceLabel } from './serviceLabel';
import { compareStamps, formatStamp, parseStamp } from './stamp';

describe('stamps', () => {
  it('are read as they were written', () => {
    const stamp = { service: 'component:default/checkout', sequence: 12, ticket: 3 };
    expect(formatStamp(stamp)).toBe('component:default/checkout/12.3');
    expect(parseStamp(formatStamp(stamp))).toEqual(stamp);
  });

  it.each([
    '',
    'component:default/checkout',
    'component:default/checkout/12',
    'component:default/checkout/x.3',
  ])('are not read out of %j', text => expect(parseStamp(text)).toBeUndefined());

  it('are newer by sequence, then by ticket', () => {
    expect(compareStamps({ sequence: 2, ticket: 1 }, { sequence: 1, ticket: 9 })).toBeGreaterThan(
      0,
    );
    expect(compareStamps({ sequence: 2, ticket: 1 }, { sequence: 2, ticket: 2 })).toBeLessThan(0);
    expect(compareStamps({ sequence: 2, ticket: 2 }, { sequence: 2, ticket: 2 })).toBe(0);
  });
});

describe('serviceLabel', () => {
  it.each([
    'component:default/checkout',
    `component:default/${'x'.repeat(63)}`,
    'component:default/A_b.C',
    'component:default/--',
  ])('is a label value for %s', service =>
    expect(serviceLabel(service)).toMatch(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])$/),
  );

  it('tells equal names of different namespaces apart', () => {
    expect(serviceLabel('component:default/checkout')).not.toBe(
      serviceLabel('component:shop/checkout'),
    );
  });
});
