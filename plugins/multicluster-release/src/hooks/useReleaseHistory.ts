import { useState } from 'react';
import { useApi } from '@backstage/frontend-plugin-api';
import type { ReleaseView } from 'backstage-plugin-multicluster-release-common';
import { multiclusterReleaseApiRef } from '../api';
import { usePolled, type Polled } from './usePolled';

const PAGE_SIZE = 10;
const INTERVAL_MILLISECONDS = 60_000;

export interface ReleaseHistoryPage {
  items: ReleaseView[];
  hasMore: boolean;
}

export interface ReleaseHistoryAnswer {
  releases: Polled<ReleaseHistoryPage>;
  more: () => void;
}

/** Releases of a service, newest first, from the first page up to as many as were asked for. */
export function useReleaseHistory(service: string, hint: unknown): ReleaseHistoryAnswer {
  const api = useApi(multiclusterReleaseApiRef);
  const [pages, setPages] = useState(1);
  const releases = usePolled<ReleaseHistoryPage>({
    subject: service,
    load: async () => {
      const { items, nextCursor } = await api.listReleases({ service, limit: pages * PAGE_SIZE });
      return { items, hasMore: nextCursor !== undefined };
    },
    interval: () => INTERVAL_MILLISECONDS,
    hint: `${hint}:${pages}`,
  });
  return { releases, more: () => setPages(pages + 1) };
}
