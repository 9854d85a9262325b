/*
 * What the suites on real clusters share: control planes that start once for the
 * suite, and a scene of its own for each test, so that tests can run beside each other.
 */
import { realClusters, type RealClusters } from './realClusters';
import { openScene, type More, type Scene, type SceneOptions } from './scene';
import { turnedClock, type TurnedClock } from './turnedClock';

export interface SuiteOptions extends Pick<SceneOptions, 'configured'> {
  /** Asked for each scene, when all that the suite needs has started. */
  metrics?: () => SceneOptions['metrics'];
  /** Names of the control planes, in the order of `versions()`. */
  names: string[];
  /** How the namespaces of the suite begin. */
  prefix: string;
}

export type Play = (scene: Scene, clock: TurnedClock) => Promise<void>;

export interface SceneSettings extends Pick<SceneOptions, 'fleet'> {
  /** What is different in the version that runs at first. */
  old?: More;
}

export interface Suite {
  /** Of the whole suite; only for its tests and hooks. */
  clusters(): RealClusters;
  nextNamespace(): string;
  /** Plays in a new namespace, and puts the backend away. */
  inEmptyScene(play: Play, settings?: Pick<SceneSettings, 'fleet'>): Promise<void>;
  /** The same with version 1.0.0 everywhere. */
  inScene(play: Play, settings?: SceneSettings): Promise<void>;
}

const MILLISECONDS = { test: 240_000, start: 1_200_000, end: 60_000 };

/** Once in the `describe` of a suite, which it gives its hooks and its time-out. */
export function suiteOnRealClusters({ names, prefix, configured, metrics }: SuiteOptions): Suite {
  let started: RealClusters | undefined;
  let count = 0;
  jest.setTimeout(MILLISECONDS.test);

  beforeAll(async () => {
    started = await realClusters(...names);
  }, MILLISECONDS.start);

  afterAll(async () => {
    await started?.remove();
  }, MILLISECONDS.end);

  const clusters = () => {
    if (!started) {
      throw new Error(`${prefix}: the control planes are there for tests and hooks only`);
    }
    return started;
  };
  const nextNamespace = () => {
    count += 1;
    return `${prefix}-${count}`;
  };
  const inEmptyScene: Suite['inEmptyScene'] = async (play, { fleet } = {}) => {
    const timing = turnedClock();
    const place = { clusters: clusters(), names, namespace: nextNamespace() };
    const scene = await openScene({
      ...place,
      ...{ configured, timing, fleet },
      metrics: metrics?.(),
    });
    try {
      await play(scene, timing);
    } finally {
      await scene.close();
    }
  };
  const inScene: Suite['inScene'] = (play, { old, ...settings } = {}) =>
    inEmptyScene(async (scene, clock) => {
      expect(await scene.released('1.0.0', old)).toMatchObject({ state: 'Succeeded' });
      await play(scene, clock);
    }, settings);
  return { clusters, nextNamespace, inEmptyScene, inScene };
}
