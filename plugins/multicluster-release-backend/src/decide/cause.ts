import type { Waiting, WaitingCode } from 'backstage-plugin-multicluster-release-common';

/** One reason to wait; whether it is the blocking one is said when all are known. */
export function cause(
  code: WaitingCode,
  since: number,
  message: string,
  params: Waiting['params'] = {},
  extra: Pick<Waiting, 'until' | 'who'> = {},
): Waiting {
  return { code, since, message, params, ...extra, blocking: false };
}
