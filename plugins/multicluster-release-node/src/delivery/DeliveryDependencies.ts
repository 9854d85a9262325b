import type { Timing } from '../clusters/Timing';
import type { ClusterRegistry } from '../clusters/types';
import type { ContentStore } from '../ports';

/** What the hands are made of. */
export interface DeliveryDependencies {
  clusters: ClusterRegistry;
  contents: ContentStore;
  timing: Timing;
}

/** How many requests of one effect are under way on one cluster at once. */
export const REQUESTS_AT_ONCE = 8;
