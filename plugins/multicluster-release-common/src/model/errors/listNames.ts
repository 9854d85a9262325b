const SHOWN = 20;

/** `a, b, c`, and how many more there are. */
export function listNames(names: string[]): string {
  const shown = names.slice(0, SHOWN).join(', ');
  return names.length > SHOWN ? `${shown} and ${names.length - SHOWN} more` : shown;
}
