import type { HoldView } from 'backstage-plugin-multicluster-release-common';
import type { HoldRecord } from '../../store/types';

export function holdView({ id, service, version, reason, releaseId, since }: HoldRecord): HoldView {
  return { id, service, version, reason, releaseId, since };
}
