/** What stands at a path of an answer. */
export type Found =
  | { result: 'found'; value: unknown }
  | { result: 'missing' }
  /** The path itself cannot be read. */
  | { result: 'faulty' };

/** A name, or `[n]`; a name behind another part has a dot before it. */
const PART = /\.?([^.[\]]+)|\[(\d+)\]/y;

/**
 * The value at a path of dots and `[n]`, for example `data.items[0].rate`; a `$`
 * at its beginning means the answer itself. Names reach members of objects, and
 * numbers in brackets items of lists: nothing that JavaScript adds to them.
 */
export function valueAt(answer: unknown, path: string): Found {
  const parts = partsOf(path.trim());
  if (!parts) {
    return { result: 'faulty' };
  }
  let value = answer;
  for (const part of parts) {
    if (typeof part === 'number' ? !Array.isArray(value) : !isObject(value)) {
      return { result: 'missing' };
    }
    const holder = value as Record<string | number, unknown>;
    if (!Object.hasOwn(holder, part)) {
      return { result: 'missing' };
    }
    value = holder[part];
  }
  return { result: 'found', value };
}

/** undefined: the path is not of this form. */
function partsOf(path: string): (string | number)[] | undefined {
  const rest = path.startsWith('$') ? path.slice(1) : path;
  if (rest === '') {
    return path === '$' ? [] : undefined;
  }
  if (rest === path && rest.startsWith('.')) {
    return undefined;
  }
  const parts: (string | number)[] = [];
  const pattern = new RegExp(PART);
  while (pattern.lastIndex < rest.length) {
    const start = pattern.lastIndex;
    const match = pattern.exec(rest);
    const [, name, index] = match ?? [];
    const needsDot = name !== undefined && (start > 0 || rest !== path);
    if (!match || (needsDot && rest[start] !== '.')) {
      return undefined;
    }
    parts.push(name ?? Number(index));
  }
  return parts;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
