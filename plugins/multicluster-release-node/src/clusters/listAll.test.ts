import { listAll } from './listAll';
import type { ClusterRequest } from './types';

function clientOf(pages: Record<string, object | Error>) {
  const asked: ClusterRequest[] = [];
  return {
    asked,
    request: async <T>(request: ClusterRequest) => {
      asked.push(request);
      const page = pages[String(request.query?.continue ?? 'first')];
      if (page instanceof Error) {
        throw page;
      }
      return { status: 200, body: page as T, headers: {} };
    },
  };
}

const first = {
  kind: 'PodList',
  apiVersion: 'v1',
  metadata: { resourceVersion: '7', continue: 'second' },
  items: [{ metadata: { name: 'a' } }],
};

describe('listAll', () => {
  it('reads all pages, and says of each item what it is', async () => {
    const second = {
      ...first,
      metadata: { resourceVersion: '7', continue: '' },
      items: [{ metadata: { name: 'b' } }],
    };
    const client = clientOf({ first, second });
    const list = await listAll(client, { path: '/api/v1/pods', labelSelector: 'a=b' });
    expect(list).toEqual({
      resourceVersion: '7',
      items: [
        { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } },
        { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'b' } },
      ],
    });
    expect(client.asked.map(request => request.query)).toEqual([
      expect.objectContaining({ limit: 500, continue: undefined, labelSelector: 'a=b' }),
      expect.objectContaining({ limit: 500, continue: 'second', labelSelector: 'a=b' }),
    ]);
  });

  it('fails when a page fails', async () => {
    const client = clientOf({ first, second: new Error('second page failed') });
    await expect(listAll(client, { path: '/api/v1/pods' })).rejects.toThrow('second page failed');
  });

  it('takes a list without items', async () => {
    const empty = { ...first, metadata: { resourceVersion: '1' }, items: undefined };
    expect(await listAll(clientOf({ first: empty }), { path: '/api/v1/pods' })).toEqual({
      items: [],
      resourceVersion: '1',
    });
  });
});
