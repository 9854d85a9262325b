/**
 * A fault of a document that this page wrote itself: lines of what was sent say
 * nothing to a person, and its path says the place.
 */
export function plainFault(message: string): string {
  return message.replace(/ \(line \d+\)$/, '');
}
