/** A number with its noun: `1 cluster`, `3 clusters`. For nouns whose plural takes an s. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
