import { createHash } from 'crypto';

/** SHA-256 of a text, in hex. Deterministic, so decide stays pure. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
