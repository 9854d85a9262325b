import { useApi } from '@backstage/frontend-plugin-api';
import {
  isFinalRelease,
  type ReleaseView,
  type StageView,
  type TargetView,
} from 'backstage-plugin-multicluster-release-common';
import { multiclusterReleaseApiRef } from '../api';
import { pollInterval } from './intervals';
import { usePolled, type Polled } from './usePolled';
import type { ReleaseHint } from './useReleaseHint';

export interface ReleaseDetails {
  release: ReleaseView;
  targets: TargetView[];
  stages: StageView[];
}

/** One release with its clusters and stages, read together. */
export function useReleaseDetails(
  releaseId: string | undefined,
  news: ReleaseHint,
): Polled<ReleaseDetails> {
  const api = useApi(multiclusterReleaseApiRef);
  return usePolled({
    subject: releaseId,
    load: async () => {
      const id = releaseId ?? '';
      const [release, targets, stages] = await Promise.all([
        api.getRelease(id),
        api.listTargets(id),
        api.listStages(id),
      ]);
      return { release, targets, stages };
    },
    interval: details =>
      pollInterval(details !== undefined && !isFinalRelease(details.release.state), news.live),
    hint: news.hint,
  });
}
