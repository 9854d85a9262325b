import type { KubernetesObject, Stamp } from '../ports';
import { STAMP_ANNOTATION } from './names';

/** `<service>/<sequence>.<ticket>`; a service's reference has slashes of its own. */
export function formatStamp({ service, sequence, ticket }: Stamp): string {
  return `${service}/${sequence}.${ticket}`;
}

/** undefined where the text is no stamp. */
export function parseStamp(text: string): Stamp | undefined {
  const match = /^(.+)\/(\d+)\.(\d+)$/.exec(text);
  return match
    ? {
        service: match[1],
        sequence: Number(match[2]),
        ticket: Number(match[3]),
      }
    : undefined;
}

/** Below zero where `a` is older than `b`: by sequence, then by ticket. */
export function compareStamps(
  a: Pick<Stamp, 'sequence' | 'ticket'>,
  b: Pick<Stamp, 'sequence' | 'ticket'>,
): number {
  return a.sequence - b.sequence || a.ticket - b.ticket;
}

/** The stamp that a live object bears; undefined where there is none or it cannot be read. */
export function stampOf(object: KubernetesObject): Stamp | undefined {
  const text = object.metadata.annotations?.[STAMP_ANNOTATION];
  return text === undefined ? undefined : parseStamp(text);
}
