/*
 * Character tests for names, durations and counts. Written out rather than as
 * regular expressions: documents come from outside, and these cannot backtrack.
 */

export function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}

export function isLowerAlphanumeric(character: string): boolean {
  return (character >= 'a' && character <= 'z') || isDigit(character);
}

export function isAlphanumeric(character: string): boolean {
  return isLowerAlphanumeric(character) || (character >= 'A' && character <= 'Z');
}

/** Whether the text is not empty and each of its characters passes the test. */
export function consistsOf(text: string, test: (character: string) => boolean): boolean {
  return text.length > 0 && [...text].every(test);
}
