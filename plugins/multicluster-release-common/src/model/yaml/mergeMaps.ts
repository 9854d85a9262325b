import { isRecord, type Path } from '../errors/path';

/** A map that stands behind `<<`, already as JSON. */
export interface MergeSource {
  value: unknown;
  /** How it is called in a message: `*base`, or `<<`. */
  name: string;
  offset?: number;
}

interface Merge {
  /** Of several, the earlier win. */
  sources: MergeSource[];
  into: Record<string, unknown>;
  /** Keys that so far came by merging, and that the map's own may replace. */
  merged: Set<string>;
  path: Path;
  report: (path: Path, message: string, offset?: number) => void;
}

/**
 * Merges by `<<`. The map's own keys win. kubectl lets the merge win over keys
 * that stand before it, YAML does not: such a text means two things and is refused.
 */
export function mergeMaps({ sources, into, merged, path, report }: Merge): void {
  for (const { value, name, offset } of sources) {
    if (!isRecord(value)) {
      report(path, 'merges with << what is no map', offset);
      continue;
    }
    for (const [key, entry] of Object.entries(value)) {
      if (!Object.hasOwn(into, key)) {
        into[key] = entry;
        merged.add(key);
      } else if (!merged.has(key)) {
        report(
          [...path, key],
          `is given before the merge of ${name}, which has it too: put << first`,
          offset,
        );
      }
    }
  }
}
