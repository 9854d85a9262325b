import { formatPath, isRecord, type Path } from '../errors/path';
import type { LocatedDocument } from '../parseDocuments';
import type { NotBuilt, NotBuiltRule } from './NotBuilt';
import { NOT_BUILT_RULES } from './rules';

/**
 * Every field of the documents that this version accepts and does not execute.
 * A release with any of them must be refused: nothing is ignored.
 */
export function notBuiltYet(documents: LocatedDocument[]): NotBuilt[] {
  return documents.flatMap(({ document, label }) =>
    NOT_BUILT_RULES[document.kind].flatMap(rule =>
      placesOf(document, rule.path)
        .filter(({ value }) => asksForMore(value, rule))
        .map(({ path }) => {
          const place = formatPath(path);
          const message = `${label} ${place}: ${rule.feature}: not built yet in this version. Take the field out.`;
          return { document: label, path: place, feature: rule.feature, message };
        }),
    ),
  );
}

interface Place {
  path: Path;
  value: unknown;
}

function placesOf(document: unknown, pattern: string[]): Place[] {
  return pattern.reduce<Place[]>(
    (places, part) => places.flatMap(place => stepInto(place, part)),
    [{ path: [], value: document }],
  );
}

function stepInto({ path, value }: Place, part: string): Place[] {
  if (part === '*') {
    return Array.isArray(value)
      ? value.map((entry, index) => ({ path: [...path, index], value: entry }))
      : [];
  }
  return isRecord(value) && value[part] !== undefined
    ? [{ path: [...path, part], value: value[part] }]
    : [];
}

/** Explicit defaults and empty lists change nothing. */
function asksForMore(value: unknown, { builtValues = [] }: NotBuiltRule): boolean {
  const isEmpty = Array.isArray(value)
    ? value.length === 0
    : isRecord(value) && Object.keys(value).length === 0;
  return !isEmpty && !builtValues.some(built => built === value);
}
