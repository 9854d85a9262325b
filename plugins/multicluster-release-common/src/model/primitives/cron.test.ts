import { cronFault } from './cron';

describe('cronFault', () => {
  it.each([
    '0 18 * * *',
    '0 9 * * 1-5',
    '*/15 0-8,20-23 * * *',
    '0 9 1,15 JAN-Mar mon-fri',
    '5/20 9 * * 7',
    ' 0  9 * * 0-6/2 ',
    '0 0 29 2 *',
    '0 0 31 2 1',
  ])('accepts %j', text => {
    expect(cronFault(text)).toBeUndefined();
  });

  // prettier-ignore
  it.each([
    ['* 7-24 * * 0-6', 'hour has 24, and takes 0 to 23'], // C47
    ['60 9 * * *', 'minute has 60, and takes 0 to 59'],
    ['0 9 0 * *', 'day of month has 0, and takes 1 to 31'],
    ['0 9 * 13 *', 'month has 13, and takes 1 to 12, or jan to dec'],
    ['0 9 * * funday', 'day of week has funday, and takes 0 to 7, or sun to sat'],
    ['0 9 * * 5-1', 'day of week has 5-1, which runs backwards: write two, with a comma between'],
    ['0 9 * * */0', 'day of week has the step 0, and takes 1 or more'],
    ['0 9 * * 1-', 'day of week has nothing, and takes 0 to 7, or sun to sat'],
    ['0 9 * * 1,', 'day of week has nothing, which is no number, range, step or list'],
    ['0 9 ? * *', 'day of month has ?, and takes 1 to 31'],
    ['-1 9 * * *', 'minute has nothing, and takes 0 to 59'],
    ['0 9 1-2-3 * *', 'day of month has 1-2-3, which is no number, range, step or list'],
    ['0 0 31 2,4 *', 'day of month has 31, which month 2,4 never has: it would never open'],
    ['@daily', 'must have the five fields minute, hour, day of month, month, day of week, such as "0 9 * * 1-5", and has 1'],
    ['0 0 9 * * 1', 'must have the five fields minute, hour, day of month, month, day of week, such as "0 9 * * 1-5", and has 6'],
    ['', 'must have the five fields minute, hour, day of month, month, day of week, such as "0 9 * * 1-5", and has 0'],
  ])('refuses %j', (text, fault) => {
    expect(cronFault(text)).toBe(fault);
  });
});
