import type { KubernetesObject } from '../../ports';
import { isRecord } from '../json';
import { SERVICE_LABEL, TRACK_LABEL } from '../names';
import { isTrackedWorkload, podTemplateOf } from '../podTemplate';
import { serviceLabel } from '../serviceLabel';
import { isSharedKind } from '../sharedKinds';

/**
 * Adds our labels in place: the service to every object, service and track to
 * the pods of workloads that are updated. Never to a selector, which cannot be
 * changed (C48), and not to the pods of Jobs, whose template cannot.
 */
export function addLabels(objects: KubernetesObject[], service: string): void {
  const label = serviceLabel(service);
  for (const object of objects) {
    if (!isSharedKind(object.kind)) {
      object.metadata.labels = {
        ...object.metadata.labels,
        [SERVICE_LABEL]: label,
      };
    }
    const template = isTrackedWorkload(object) ? podTemplateOf(object) : undefined;
    if (template) {
      const metadata = isRecord(template.metadata) ? template.metadata : {};
      const labels = isRecord(metadata.labels) ? metadata.labels : {};
      template.metadata = {
        ...metadata,
        labels: { ...labels, [SERVICE_LABEL]: label, [TRACK_LABEL]: 'stable' },
      };
    }
  }
}
