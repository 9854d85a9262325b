import os from 'node:os';
import path from 'node:path';

/** What is built once for all checkouts of this user, and the default data folder. */
export function cacheFolder() {
  return path.resolve(
    process.env.MULTICLUSTER_RELEASE_CACHE ??
      path.join(os.homedir(), '.cache', 'multicluster-release'),
  );
}
