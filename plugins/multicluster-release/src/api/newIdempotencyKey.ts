/**
 * A key for one intended click. `crypto.randomUUID` exists only on secure
 * origins; Backstage is often opened over plain http inside a company.
 */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}
