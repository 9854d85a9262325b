import { resolveScalar } from './resolveScalar';

// What kubectl reads (sigs.k8s.io/yaml 1.6.0, tried on these very words).
describe('resolveScalar', () => {
  // prettier-ignore
  it.each([
    ['yes', true], ['Yes', true], ['on', true], ['y', true], ['Y', true], ['true', true], ['TRUE', true],
    ['no', false], ['Off', false], ['n', false], ['N', false],
    ['yEs', 'yEs'], ['tRUE', 'tRUE'],
    ['', undefined], ['~', undefined], ['null', undefined], ['NULL', undefined],
    ['010', 8], ['0o10', 8], ['0777', 511], ['-010', -8], ['08', 8], ['00', 0], ['0o8', '0o8'],
    ['0x1F', 31], ['+0x1f', 31], ['-0x1f', -31], ['0x_1', 1], ['0x', '0x'], ['0xZZ', '0xZZ'], ['0x1p4', '0x1p4'],
    ['0xFFFFFFFFFFFFFFFFFF', '0xFFFFFFFFFFFFFFFFFF'],
    ['0b11', 3], ['-0b11', -3], ['0b', '0b'], ['0b2', '0b2'],
    ['1_000', 1000], ['1__0', 10], ['0_', 0], ['_1', '_1'], ['1,000', '1,000'],
    ['1e3', 1000], ['1.5e3', 1500], ['1E3', 1000], ['12e03', 12000], ['1e-3', 0.001], ['1_e3', 1000], ['1.e3', 1000],
    ['685.230_15e+03', 685230.15], ['1e400', '1e400'], ['1e', '1e'],
    ['.5', 0.5], ['5.', 5], ['+.5', 0.5], ['-.5', -0.5], ['.', '.'], ['+', '+'], ['++1', '++1'],
    ['+5', 5], ['-5', -5], ['0', 0], ['-0', 0], ['1.0', 1], ['2.10', 2.1], ['2.1.0', '2.1.0'],
    ['123456789.123456789', 123456789.12345679],
    ['1:30', '1:30'], ['190:20:30', '190:20:30'], ['2001-12-14', '2001-12-14'],
    ['Infinity', 'Infinity'], ['inf', 'inf'], ['nan', 'nan'], ['=', '='],
  ])('reads %s as %p', (source, value) => {
    const scalar = resolveScalar(source);
    expect('value' in scalar ? scalar.value : scalar).toBe(value);
  });

  it.each([
    '.inf',
    '-.Inf',
    '.nan',
    '9007199254740993',
    '9223372036854775807',
    '18446744073709551616',
    '0xFFFFFFFFFFFFFFFF',
  ])('says why %s cannot be carried', source => {
    expect(resolveScalar(source)).toEqual({ unfit: expect.stringContaining(source) });
  });
});
