import { NotFoundError } from '@backstage/errors';
import type { ContentStore, KubernetesObject, StoredContent } from '../../ports';
import { contentDigest } from '../digest';

/** Contents of one test, in memory and in clear. */
export class MemoryContents implements ContentStore {
  private readonly stored = new Map<string, StoredContent>();

  async put(content: {
    version: string;
    configVersion?: string;
    objects: KubernetesObject[];
  }): Promise<string> {
    const digest = contentDigest(content.objects);
    this.stored.set(digest, {
      ...structuredClone(content),
      digest,
      withheldSecrets: [],
    });
    return digest;
  }

  async get(digest: string): Promise<StoredContent> {
    const content = this.stored.get(digest);
    if (!content) {
      throw new NotFoundError(`content ${digest} is not stored`);
    }
    return structuredClone(content);
  }
}
