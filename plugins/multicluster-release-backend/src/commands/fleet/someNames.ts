const MAX_NAMES = 10;

/** Names for a sentence; of many, the first. */
export function someNames(names: string[]): string {
  const some = names.slice(0, MAX_NAMES).join(', ');
  return names.length > MAX_NAMES ? `${some} and ${names.length - MAX_NAMES} more` : some;
}
