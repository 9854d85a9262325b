import { isDeepStrictEqual } from 'node:util';

/** JSON text of a value for a text column. */
export function toJson(value: unknown): string {
  return JSON.stringify(value);
}

/** @throws SyntaxError when a column that we wrote does not hold JSON. */
export function fromJson<T>(text: string): T {
  return JSON.parse(text) as T;
}

/** Whether both would be stored as the same JSON, whatever the order of keys. */
export function sameJson(left: unknown, right: unknown): boolean {
  if (left === right) {
    return true;
  }
  const leftText = JSON.stringify(left);
  const rightText = JSON.stringify(right);
  if (leftText === rightText) {
    return true;
  }
  if (leftText === undefined || rightText === undefined) {
    return false;
  }
  return isDeepStrictEqual(JSON.parse(leftText), JSON.parse(rightText));
}
