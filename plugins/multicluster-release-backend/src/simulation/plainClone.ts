/**
 * Copies data as a row's JSON would: undefined fields go. What is frozen is shared: plans are, because a plan is
 * immutable, and so whoever would change one is found out at once.
 */
export function plainClone<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map(plainClone) as T;
  }
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[key];
    if (item !== undefined) {
      copy[key] = plainClone(item);
    }
  }
  return copy as T;
}

export function freezeDeep<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(freezeDeep);
  }
  return value;
}

/** Whether both would be stored as the same JSON. */
export function samePlain(left: unknown, right: unknown): boolean {
  if (left === right) {
    return true;
  }
  if (typeof left !== 'object' || typeof right !== 'object' || !left || !right) {
    return false;
  }
  if (Array.isArray(left) !== Array.isArray(right)) {
    return false;
  }
  const [a, b] = [left, right] as Record<string, unknown>[];
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every(key => samePlain(a[key], b[key]));
}

let users = 0;
let original: typeof structuredClone;

/** While the work runs structuredClone is plainClone: it is most of what a turn costs, and a run is plain data. */
export async function withPlainClone<T>(work: () => Promise<T>): Promise<T> {
  if (users === 0) {
    original = globalThis.structuredClone;
    globalThis.structuredClone = plainClone;
  }
  users += 1;
  try {
    return await work();
  } finally {
    users -= 1;
    if (users === 0) {
      globalThis.structuredClone = original;
    }
  }
}
