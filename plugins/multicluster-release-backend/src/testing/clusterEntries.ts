/*
 * Control planes as entries of app-config, with the tokens of their kubeconfig in
 * files beside it: so no backend in a test reads a kubeconfig. The library that
 * does is imported at run time, which jest refuses as soon as one of the tests
 * that run beside each other has ended.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { JsonObject } from '@backstage/types';

interface Kubeconfig {
  clusters: { name: string; cluster: { server: string; 'certificate-authority-data': string } }[];
  users: { name: string; user: { token: string } }[];
}

/** Once for each kubeconfig, before anybody asks for its entries. */
export async function writeTokens(kubeconfig: string): Promise<void> {
  const { users } = await read(kubeconfig);
  await Promise.all(
    users.map(({ name, user }) => writeFile(tokenFile(kubeconfig, name), user.token)),
  );
}

/** Each cluster with the identity that the product has; those of administrators are left out. */
export async function clusterEntries(kubeconfig: string): Promise<Record<string, JsonObject>> {
  const { clusters } = await read(kubeconfig);
  const entries = clusters.map(({ name, cluster }) => [
    name,
    {
      access: {
        token: {
          server: cluster.server,
          caData: cluster['certificate-authority-data'],
          tokenFile: tokenFile(kubeconfig, name),
        },
      },
    },
  ]);
  return Object.fromEntries(entries);
}

async function read(kubeconfig: string): Promise<Kubeconfig> {
  return JSON.parse(await readFile(kubeconfig, 'utf8'));
}

function tokenFile(kubeconfig: string, user: string): string {
  return join(dirname(kubeconfig), `${user}.token`);
}
