import type { KubernetesPlugin } from '../transport/KubernetesPlugin';
import { describeCluster } from './describeCluster';
import type { ClusterDefinition, ClusterSourceReader } from './types';

/** The clusters that the kubernetes plugin knows, reached through its proxy. */
export class KubernetesPluginReader implements ClusterSourceReader {
  readonly description = 'the kubernetes plugin';

  constructor(private readonly plugin: Pick<KubernetesPlugin, 'listClusters'>) {}

  async read(): Promise<ClusterDefinition[]> {
    const listed = await this.plugin.listClusters();
    return listed.map(({ name, title }) => ({
      info: describeCluster({ name, title, labels: {} }, 'kubernetesPlugin'),
      access: { type: 'kubernetesPlugin', name },
    }));
  }
}
