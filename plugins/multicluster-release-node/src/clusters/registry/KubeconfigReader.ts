import type { ClustersConfig } from './ClustersConfig';
import { accessFromContext } from './accessFromContext';
import { describeCluster } from './describeCluster';
import { loadKubeconfig } from './loadKubeconfig';
import type { ClusterDefinition, ClusterSourceReader } from './types';

/** Every wanted context of one kubeconfig file is a cluster of that name. */
export class KubeconfigReader implements ClusterSourceReader {
  readonly description: string;

  constructor(
    private readonly kubeconfig: NonNullable<ClustersConfig['kubeconfig']>,
    private readonly allow: ClustersConfig['allow'],
  ) {
    this.description = `kubeconfig ${kubeconfig.path}`;
  }

  async read(): Promise<ClusterDefinition[]> {
    const { path, contexts, ignoreContextSuffixes } = this.kubeconfig;
    const file = await loadKubeconfig(path);
    const found = file.getContexts().map(context => context.name);
    const names =
      contexts ??
      found.filter(name => !ignoreContextSuffixes.some(suffix => name.endsWith(suffix)));
    return Promise.all(
      names.map(async name => ({
        info: describeCluster({ name, labels: {} }, 'kubeconfig'),
        // A context that was named and is not there is refused by name, so that it does not silently leave the fleet.
        access: await accessFromContext(file, name, name, this.allow),
      })),
    );
  }
}
