import type { ReleaseView, StageView } from 'backstage-plugin-multicluster-release-common';
import { exampleStages, exampleSummary, FakeMulticlusterReleaseApi } from '../testing';

/** A backend with one release of the service; under way unless it has ended. */
export function apiWith(
  release: ReleaseView,
  stages: StageView[] = exampleStages(),
): FakeMulticlusterReleaseApi {
  const api = new FakeMulticlusterReleaseApi();
  api.releases = [release];
  api.stages = stages;
  const activeRelease = release.finishedAt === undefined ? release : undefined;
  api.summary = exampleSummary({ activeRelease, lastRelease: release });
  return api;
}
