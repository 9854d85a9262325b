/** Looks again every few milliseconds until the answer fits. Fails with the last answer after ten seconds. */
export async function until<T>(look: () => Promise<T>, fits: (answer: T) => boolean): Promise<T> {
  const end = Date.now() + 10_000;
  for (;;) {
    const answer = await look();
    if (fits(answer)) {
      return answer;
    }
    if (Date.now() > end) {
      throw new Error(
        `It did not come to that within ten seconds; last seen: ${JSON.stringify(answer)}`,
      );
    }
    await new Promise(resolve => setTimeout(resolve, 10));
  }
}
