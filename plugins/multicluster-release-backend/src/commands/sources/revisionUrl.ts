import { SourceUnreadableError } from './SourceUnreadableError';
import type { SourceLocation } from './types';

/** `/tree/<ref>/`, `/blob/<ref>/`, `/-/raw/<ref>/`, `/src/branch/<ref>/`: as the known hosts write their pages. */
const REVISION = /\/(tree|blob|raw|edit|src\/branch|src\/tag|src\/commit)\/([^/]+)(\/|$)/;

/**
 * The same place at another git revision. Pure.
 *
 * @throws SourceUnreadableError where the location has no revision that could be replaced
 */
export function atRevision(location: SourceLocation, revision: string | undefined): SourceLocation {
  if (revision === undefined) {
    return location;
  }
  if (location.type === 'file' || !REVISION.test(location.target)) {
    throw new SourceUnreadableError(
      location.target,
      `\`ref: ${revision}\` needs a URL of a git host with the branch in it, for example https://github.com/acme/checkout/tree/main/k8s.`,
    );
  }
  const encoded = encodeURIComponent(revision);
  const target = location.target.replace(REVISION, (_, page: string, __, end: string) => {
    const plain = page.startsWith('src/') ? 'src/tag' : page;
    return `/${plain}/${encoded}${end}`;
  });
  return { type: 'url', target };
}
