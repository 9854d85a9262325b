import { messages } from './messages';
import zh from './zh';

const placeholders = (text: string) =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort();

/** Texts with a number that is never none: their callers ask for more, or the server sends more. */
const NEVER_NONE = [
  'active.failed',
  'approval.count',
  'approval.later',
  'banner.partial',
  'card.mixed',
  'dialog.acceptClusters',
  'dialog.effectApproveMore',
  'diff.same',
  'diff.showFields',
  'header.failed',
  'lanes.applyOrder',
  'lanes.pods',
  'metrics.need',
  'rail.failed',
  'remove.stays',
  'sentence.idleMixed',
  'sentence.idleVersion',
  'sentence.more',
  'sentence.noStage',
  'sentence.putBack',
  'sentence.sinceThen',
  'start.refused',
  'start.unchanged',
  'stops.more',
  'stops.scope.clusters',
  'stops.scope.groups',
  'stops.scope.regions',
  'stops.scope.services',
  'versions.behind',
  'waiting.approval',
  'waiting.approvalAnyone',
  'waiting.ready',
  'waiting.readyWithoutMessage',
];

describe('translations', () => {
  it('have the same keys in Chinese as in English', () => {
    expect(Object.keys(zh).sort()).toEqual(Object.keys(messages).sort());
  });

  it.each(Object.entries(messages))(
    '%s names the same parameters in both languages',
    (key, english) => {
      const chinese = zh[key as keyof typeof messages];
      expect(placeholders(chinese)).toEqual(placeholders(english));
      expect(chinese).not.toBe('');
    },
  );

  it('have words for none wherever there may be none, and no 0 in them', () => {
    const counted = Object.keys(messages).flatMap(key => key.match(/^(.*)_other$/)?.[1] ?? []);
    const zero = Object.keys(messages).filter(key => key.endsWith('_zero'));
    expect([...NEVER_NONE, ...zero.map(key => key.replace('_zero', ''))].sort()).toEqual(
      counted.sort(),
    );
    for (const key of zero as (keyof typeof messages)[]) {
      expect(`${messages[key]} ${zh[key]}`).not.toMatch(/\b0\b|\{\{count\}\}/);
    }
  });
});
