import type { CST } from 'yaml';
import { isRecord } from '../errors/path';

/** Whether tokens lie inside one another more than `limit` times. Does not recurse itself, whatever the depth. */
export function isDeeperThan(limit: number, tokens: CST.Token[]): boolean {
  const open: { token: unknown; depth: number }[] = tokens.map(token => ({ token, depth: 0 }));
  for (let next = open.pop(); next; next = open.pop()) {
    if (next.depth > limit) {
      return true;
    }
    for (const token of childrenOf(next.token)) {
      open.push({ token, depth: next.depth + 1 });
    }
  }
  return false;
}

function childrenOf(token: unknown): unknown[] {
  if (!isRecord(token)) {
    return [];
  }
  const items = Array.isArray(token.items)
    ? token.items.flatMap(item => [item?.key, item?.value])
    : [];
  return [token.value, ...items].filter(isRecord);
}
