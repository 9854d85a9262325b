import type { KubernetesObject } from '../ports';
import type { ClusterClient } from './types';

/** Objects per page. */
const PAGE_SIZE = 500;

export interface ListAllOptions {
  /** A collection, for example `/api/v1/pods`. */
  path: string;
  labelSelector?: string;
  fieldSelector?: string;
  timeoutMilliseconds?: number;
  signal?: AbortSignal;
}

export interface CompleteList {
  items: KubernetesObject[];
  /** Where a watch goes on. */
  resourceVersion: string;
}

interface ListPage {
  kind?: string;
  apiVersion?: string;
  metadata?: { resourceVersion?: string; continue?: string };
  items?: KubernetesObject[] | null;
}

/**
 * Reads a whole collection, page by page. A page that fails fails the list: part
 * of a list is never an answer (C07).
 *
 * @throws ClusterError
 */
export async function listAll(
  client: Pick<ClusterClient, 'request'>,
  options: ListAllOptions,
): Promise<CompleteList> {
  const { path, labelSelector, fieldSelector, timeoutMilliseconds, signal } = options;
  const items: KubernetesObject[] = [];
  let position: string | undefined;
  let resourceVersion = '';
  do {
    const { body } = await client.request<ListPage>({
      method: 'GET',
      path,
      query: { limit: PAGE_SIZE, continue: position, labelSelector, fieldSelector },
      timeoutMilliseconds,
      signal,
    });
    items.push(...nameKinds(body));
    // Every page carries the version of the first: the list is one snapshot.
    resourceVersion = body.metadata?.resourceVersion ?? resourceVersion;
    position = body.metadata?.continue || undefined;
  } while (position !== undefined);
  return { items, resourceVersion };
}

/** Items of built-in lists come without apiVersion and kind. */
function nameKinds(page: ListPage): KubernetesObject[] {
  const kind = page.kind?.replace(/List$/, '') ?? '';
  const apiVersion = page.apiVersion ?? '';
  return (page.items ?? []).map(item => ({
    ...item,
    apiVersion: item.apiVersion ?? apiVersion,
    kind: item.kind ?? kind,
  }));
}
