import { ResponseError } from '@backstage/errors';

/** The server's no, as the client rejects with it. */
export async function refusal(status: number, error: Record<string, unknown>): Promise<Error> {
  const body = JSON.stringify({ error, request: {}, response: { statusCode: status } });
  const headers = { 'Content-Type': 'application/json' };
  return ResponseError.fromResponse(new Response(body, { status, headers }));
}
