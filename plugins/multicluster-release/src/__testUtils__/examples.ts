import {
  exampleFinalRelease,
  exampleRelease,
  exampleSummary,
  exampleTarget,
  FakeMulticlusterReleaseApi,
} from '../testing';

/** A release is under way, after another one. */
export function withActiveRelease(changes: Parameters<typeof exampleRelease>[0] = {}) {
  const api = new FakeMulticlusterReleaseApi();
  const release = exampleRelease(changes);
  api.releases = [release, exampleFinalRelease()];
  api.summary = exampleSummary({ activeRelease: release, lastRelease: release });
  return api;
}

/** The newest of two releases has ended, and can go back on two clusters. */
export function withFinishedRelease() {
  const api = new FakeMulticlusterReleaseApi();
  const release = exampleFinalRelease({
    id: 'r-2',
    targetVersion: '2.0.0',
    fromVersions: ['1.0.0'],
  });
  api.releases = [release, exampleFinalRelease()];
  api.targets = ['cluster-a', 'cluster-b'].map(name => exampleTarget(name, { state: 'Done' }));
  api.summary = exampleSummary({ lastRelease: release });
  return api;
}
