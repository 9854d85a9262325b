import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where builds and default cluster data live: outside the repository, kept between clones. */
export function cacheFolder() {
  return (
    process.env.MULTICLUSTER_RELEASE_CACHE ?? join(homedir(), '.cache', 'multicluster-release')
  );
}
