/** A JSON object whose shape is not known. */
export type JsonRecord = Record<string, unknown>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member as an object; empty where it is absent or something else. */
export function recordAt(value: unknown, ...path: string[]): JsonRecord {
  const found = valueAt(value, ...path);
  return isRecord(found) ? found : {};
}

/** The member as a list; empty where it is absent or something else. */
export function listAt(value: unknown, ...path: string[]): unknown[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found : [];
}

export function valueAt(value: unknown, ...path: string[]): unknown {
  let found = value;
  for (const key of path) {
    if (!isRecord(found)) {
      return undefined;
    }
    found = found[key];
  }
  return found;
}

export function numberAt(value: unknown, ...path: string[]): number | undefined {
  const found = valueAt(value, ...path);
  return typeof found === 'number' ? found : undefined;
}

export function textAt(value: unknown, ...path: string[]): string | undefined {
  const found = valueAt(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

export function copyOf<T>(value: T): T {
  return structuredClone(value);
}
