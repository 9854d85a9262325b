/** Waits until a condition holds, however long the machine takes, up to a limit that only a fault reaches. */
export async function eventually<T>(
  what: string,
  condition: () => T | undefined | false | Promise<T | undefined | false>,
  limitMilliseconds: number = 20_000,
): Promise<T> {
  const end = Date.now() + limitMilliseconds;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== false) {
      return value;
    }
    if (Date.now() > end) {
      throw new Error(`did not happen within ${limitMilliseconds} ms: ${what}`);
    }
    await new Promise(resolve => setTimeout(resolve, 5));
  }
}
