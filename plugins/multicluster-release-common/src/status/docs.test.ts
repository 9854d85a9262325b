import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ACTION_REASONS, ACTIONS } from '../api/types';
import { multiclusterReleasePermissions } from '../permissions';
import { WAITING_CODES, type WaitingCode } from './states';

/** Codes of later issues, or of clusters rather than of releases: nothing waits for them yet. */
const OF_NO_RELEASE_YET: readonly WaitingCode[] = [
  'traffic',
  'standby',
  'routeEdited',
  'starting',
  'refused',
];

/** What the first column of a page's tables names, between backticks. */
function named(page: string): string[] {
  const text = readFileSync(resolve(__dirname, '../../../../docs', page), 'utf8');
  const cells = [...text.matchAll(/^\| (`[^|]+`) \|/gm)].map(([, cell]) => cell);
  return cells.flatMap(cell => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
}

describe('docs', () => {
  it('permissions.md has every permission, and no other', () => {
    expect(named('permissions.md').sort()).toEqual(
      multiclusterReleasePermissions.map(({ name }) => name).sort(),
    );
  });

  it('api.md has every action, and every reason why one is not allowed', () => {
    expect(named('api.md')).toEqual(expect.arrayContaining([...ACTIONS, ...ACTION_REASONS]));
  });

  it('operations.md has every reason that a release waits for', () => {
    const reasons = WAITING_CODES.filter(code => !OF_NO_RELEASE_YET.includes(code));
    expect(named('operations.md').sort()).toEqual([...reasons].sort());
  });
});
