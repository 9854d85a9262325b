import type { ApprovalView } from 'backstage-plugin-multicluster-release-common';
import { entityName } from './names';
import type { Texts } from './Texts';

/** A question to people in words: how far it is, who has answered, who may, how long it stands. */
export function approvalWords(approval: ApprovalView, texts: Texts, now: number): string[] {
  const { text, list, time } = texts;
  const { required, from, votes, askedAt, expiresAt, passedAt, skipped } = approval;
  if (skipped) {
    const { by, reason = '' } = skipped;
    return [text('approval.skipped', { who: entityName(by), reason })];
  }
  const who = from.length > 0 ? list(from.map(entityName)) : text('approval.anyone');
  if (askedAt === undefined) {
    return [text('approval.later', { count: required, who })];
  }
  const answers = votes.map(({ by, at, reason }) =>
    [text('approval.vote', { who: entityName(by), time: time(at, now) }), reason]
      .filter(part => part !== undefined && part !== '')
      .join(': '),
  );
  const open = passedAt === undefined;
  return [
    text('approval.count', { done: votes.length, count: required }),
    ...answers,
    ...(open ? [text('approval.who', { who })] : []),
    ...(open && expiresAt !== undefined
      ? [text('approval.expires', { time: time(expiresAt, now) })]
      : []),
  ];
}
