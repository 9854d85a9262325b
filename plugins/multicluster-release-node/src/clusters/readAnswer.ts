/** The largest answer that we take, in bytes: a page of 500 large objects fits, a mistake does not fill the memory. */
const LIMIT_BYTES = 64 * 1024 * 1024;

/** The server answered, but not with something that can be used. */
export class AnswerError extends Error {}

/**
 * Reads an answer to its end: parsed where it says that it is JSON, else as text.
 *
 * @throws AnswerError for JSON that does not parse, and for answers above the limit
 */
export async function readAnswer(
  body: AsyncIterable<Uint8Array>,
  contentType: string | undefined,
  limitBytes: number = LIMIT_BYTES,
): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > limitBytes) {
      throw new AnswerError(`sent more than ${limitBytes} bytes`);
    }
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  if (!contentType?.includes('json') || text === '') {
    return text;
  }
  try {
    return JSON.parse(text);
  } catch {
    // The parser's error would quote the answer, which may be a Secret.
    throw new AnswerError('sent JSON that does not parse');
  }
}
