import { counted, type Finding } from 'backstage-plugin-multicluster-release-common';
import type { PreviewRequest } from '../ports';
import type { Examined } from './examine';
import { findItem } from './inventory';
import { textAt } from './json';
import { bearsOurMark } from './live/owners';
import { TRACK_LABEL } from './names';
import { describeObject, idOf } from './objectId';
import { isTrackedWorkload, podTemplateOf } from './podTemplate';

/** What a person should know where objects come under our management that were there before. */
export function adoptionFindings(
  cluster: string,
  request: PreviewRequest,
  examined: Examined[],
): Finding[] {
  const adopted = examined.filter(
    ({ live, findings }) => isAdopted(request, live) && findings.length === 0,
  );
  const restarted = adopted.filter(({ live }) => live && restartsForTrack(live));
  const findings: Finding[] = [];
  if (adopted.length > 0) {
    const objects = adopted.map(({ object }) => describeObject(idOf(object))).join(', ');
    const wayBack =
      request.fromDigest === undefined
        ? 'They are recorded as they are now, so that there is a way back; they are never removed as ours.'
        : 'A rollback goes back to the last managed content, which does not have them; they stay as this release leaves them.';
    findings.push({
      severity: 'warning',
      code: 'Adopts',
      params: { cluster, count: adopted.length, objects },
      message: `${cluster}: takes over ${counted(
        adopted.length,
        'object',
      )} that were made outside of releases: ${objects}. ${wayBack}`,
      cluster,
    });
  }
  if (restarted.length > 0) {
    const objects = restarted.map(({ object }) => describeObject(idOf(object))).join(', ');
    findings.push({
      severity: 'warning',
      code: 'RestartsPods',
      params: { cluster, objects },
      message: `${cluster}: ${objects}: pods are restarted once, in a rolling update, because they get our track label.`,
      cluster,
    });
  }
  return findings;
}

type Live = Examined['live'];

function isAdopted({ inventory, service }: PreviewRequest, live: Live): live is NonNullable<Live> {
  return live !== undefined && !bearsOurMark(live, service) && !findItem(inventory, idOf(live));
}

function restartsForTrack(live: NonNullable<Live>): boolean {
  return (
    isTrackedWorkload(live) &&
    textAt(podTemplateOf(live), 'metadata', 'labels', TRACK_LABEL) === undefined
  );
}
