import { isEntityRef } from './entityRef';
import { isLabelKey, isLabelValue } from './labels';
import { isDnsLabel, isDnsSubdomain } from './names';
import { isSemver, isTargetVersion, stripLeadingV } from './versions';

describe('names', () => {
  // prettier-ignore
  it.each([
    [isDnsLabel, ['a', 'a-b', '9a', 'x'.repeat(63)], ['', 'A', '-a', 'a-', 'a.b', 'a_b', 'é', 'x'.repeat(64)]],
    [isDnsSubdomain, ['a', 'a.b-c.d', 'x'.repeat(100)], ['', '.', 'a.', '.a', 'a..b', 'a.-b', 'A', `${'x'.repeat(250)}.abc`]],
    [isLabelKey, ['tier', 'acme.io/tier', 'Tier_1.x'], ['', '/tier', 'acme.io/', 'a/b/c', '-a', 'Acme.io/tier']],
    [isLabelValue, ['', 'prod', 'A_b.c-1'], ['-a', 'a b', 'x'.repeat(64)]],
    [isEntityRef, ['component:default/checkout', 'Group:default/sre'], ['checkout', 'default/checkout', 'component:checkout', ':a/b', 'a:b/', 'a:b/c/d']],
    [isSemver, ['1.4.0', '1.4.0-rc.1', '1.0.0+build'], ['', '1.4', 'v1.4.0', '1.4.0.0', 'latest']],
    [isTargetVersion, ['2.1.0', 'v2', 'main_2026-11-30', '1.0.0+b'], ['', ' 2', '2 ', '-2', 'a/b', 'a:b', 'x'.repeat(129)]],
  ])('%p', (isRight, right, wrong) => {
    expect(right.filter(text => !isRight(text))).toEqual([]);
    expect(wrong.filter(text => isRight(text))).toEqual([]);
  });

  // prettier-ignore
  it.each([
    ['v2.0.0', '2.0.0'],
    ['2.0.0', '2.0.0'],
    ['vanilla', 'vanilla'],
    ['v', 'v'],
  ])('strips the v of %s', (written, version) => {
    expect(stripLeadingV(written)).toBe(version);
  });
});
