/*
 * What the suites of deliveries to a real API server share: one control plane, a
 * connection with the rights of the shipped role, and a namespace with a service of
 * its own for each test.
 */
import type { LoggerService } from '@backstage/backend-plugin-api';
import { ConfigReader } from '@backstage/config';
import {
  createClusterAccess,
  type ClusterAccessServices,
} from '../../clusters/createClusterAccess';
import { eventually } from '../../clusters/testing/eventually';
import {
  REAL_CLUSTERS_MILLISECONDS,
  realClusters,
  type RealClusters,
} from '../../clusters/testing/realClusters';
import { systemTiming } from '../../clusters/Timing';
import type { ClusterClient } from '../../clusters/types';
import type { Hands, ObserveRequest, Observer, TargetObservation } from '../../ports';
import { createHands } from '../createHands';
import { MemoryContents } from './MemoryContents';
import { TestService } from './TestService';

export const SERVICE = 'component:default/shop';
/** With the rights of the shipped role. */
export const CLUSTER = 'cluster-a';
/** The same with all rights. */
export const ADMIN = 'cluster-a-admin';

const TEST_MILLISECONDS = 120_000;
const SEEN_MILLISECONDS = 60_000;

const logger: LoggerService = {
  error: message => {
    throw new Error(message);
  },
  warn: () => {},
  info: () => {},
  debug: () => {},
  child: () => logger,
};

export interface RealCluster {
  clusters: RealClusters;
  access: ClusterAccessServices;
}

/** Once in the `describe` of a suite, which it gives its hooks and its time-out; answers what its tests see then. */
export function realCluster(): () => RealCluster {
  let started: RealCluster | undefined;
  jest.setTimeout(TEST_MILLISECONDS);

  beforeAll(async () => {
    const clusters = await realClusters(CLUSTER);
    const { kubeconfig } = clusters;
    const config = new ConfigReader({ multiclusterRelease: { kubeconfig: { path: kubeconfig } } });
    const access = createClusterAccess({ config, logger });
    started = { clusters, access };
    await access.registry.refresh();
  }, REAL_CLUSTERS_MILLISECONDS);

  afterAll(async () => {
    await started?.access.close();
    await started?.clusters.remove();
  }, 60_000);

  return () => {
    if (!started) {
      throw new Error(`${CLUSTER} is there for tests and hooks only`);
    }
    return started;
  };
}

/** What each test has for itself. */
export interface TestPlace {
  admin: ClusterClient;
  contents: MemoryContents;
  namespace: string;
  service: TestService;
}

export interface DeliverySuite {
  /** Of the whole suite; only for its tests and hooks. */
  cluster(): RealCluster;
  hands(): Hands;
  /** Another service, or another holder of the same one, in the namespace of the test. */
  newService(name?: string, cluster?: string): TestService;
  /** Closed after the test. */
  observer(onChange?: () => void): Observer;
  /** Watches, and answers the first observation that holds. */
  observed(
    request: ObserveRequest,
    what: string,
    holds: (observation: TargetObservation) => boolean,
  ): Promise<TargetObservation>;
}

/**
 * The same with a new place before each test.
 *
 * @param prefix - how the namespaces of the suite begin
 */
export function suiteOnRealCluster(
  prefix: string,
  begin: (place: TestPlace) => void,
): DeliverySuite {
  const cluster = realCluster();
  const observers: Observer[] = [];
  let count = 0;
  let contents: MemoryContents;
  let namespace: string;

  const admin = () => cluster().access.registry.get(ADMIN);
  const hands = () =>
    createHands({ clusters: cluster().access.registry, contents, timing: systemTiming });
  const newService = (name = SERVICE, on = CLUSTER) =>
    new TestService(hands(), contents, { cluster: on, namespace }, name);
  const observer = (onChange = () => {}) => {
    const made = hands().observer(onChange);
    observers.push(made);
    return made;
  };

  beforeEach(async () => {
    count += 1;
    namespace = `${prefix}-${count}`;
    contents = new MemoryContents();
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
    await admin().request({ method: 'POST', path: '/api/v1/namespaces', body });
    begin({ admin: admin(), contents, namespace, service: newService() });
  });

  afterEach(async () => {
    observers.splice(0).forEach(made => made.close());
    await admin().request({ method: 'DELETE', path: `/api/v1/namespaces/${namespace}` });
  });

  return {
    ...{ cluster, hands, newService, observer },
    observed: (request, what, holds) => {
      const made = observer();
      made.watch([request]);
      return eventually(what, () => made.latest().find(holds), SEEN_MILLISECONDS).catch(error => {
        throw new Error(`${error.message}; last seen: ${JSON.stringify(made.latest())}`);
      });
    },
  };
}
