import { access } from 'node:fs/promises';
import type { KubeConfig } from '@kubernetes/client-node';

/**
 * Reads a kubeconfig file. Only the loader of the client library is used: it
 * reads and starts nothing.
 *
 * @throws Error that names the file; the parser's text is kept out, for it quotes lines that may be credentials
 */
export async function loadKubeconfig(path: string): Promise<KubeConfig> {
  try {
    await access(path);
  } catch (error) {
    const { code } = error as { code?: string };
    throw new Error(`the kubeconfig ${path} cannot be read (${code ?? 'unknown'})`);
  }
  // The library is published as an ES module only.
  const { KubeConfig: Loader } = await import('@kubernetes/client-node');
  const kubeconfig = new Loader();
  try {
    kubeconfig.loadFromFile(path);
  } catch {
    throw new Error(`the kubeconfig ${path} does not parse; check it with kubectl config view`);
  }
  if (kubeconfig.contexts.length === 0 && kubeconfig.clusters.length === 0) {
    throw new Error(
      `the kubeconfig ${path} holds no contexts and no clusters; is it a kubeconfig?`,
    );
  }
  return kubeconfig;
}
