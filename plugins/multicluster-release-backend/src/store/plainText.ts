/**
 * Text from outside as a text column can hold it: PostgreSQL refuses the NUL
 * character, and one odd message of an API server must not make every further
 * write of a release fail.
 */
export function plainText(text: string): string {
  return text.replaceAll('\0', '\uFFFD');
}
