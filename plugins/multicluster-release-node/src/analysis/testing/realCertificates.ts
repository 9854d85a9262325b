import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

// Tests run from source; nothing of this is in a build.
const CLUSTERS = resolve(__dirname, '../../../../../dev/clusters/cli.mjs');
const run = promisify(execFile);

/** Files, in PEM. */
export interface Certificates {
  authority: string;
  /** For servers on loopback. */
  certificate: string;
  key: string;
}

/** Certificates as the development clusters have them. */
export async function makeCertificates(folder: string): Promise<Certificates> {
  const { stdout } = await run(process.execPath, [CLUSTERS, 'build', '--json']);
  await run(JSON.parse(stdout).binary, ['pki', folder, 'one']);
  const serving = `${folder}/clusters/one/serving`;
  return {
    authority: `${folder}/ca.crt`,
    certificate: `${serving}.crt`,
    key: `${serving}.key`,
  };
}
