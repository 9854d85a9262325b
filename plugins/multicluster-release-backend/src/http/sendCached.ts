import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';

/**
 * Answers JSON with an ETag that holds for this viewer, or 304. The body carries
 * revisions and what the viewer may do, so equal bodies are equal answers.
 */
export function sendCached(
  request: Request,
  response: Response,
  viewer: string,
  body: unknown,
): void {
  const text = JSON.stringify(body);
  const digest = createHash('sha256')
    .update(viewer)
    .update('\n')
    .update(text)
    .digest('base64url')
    .slice(0, 27);
  sendWithTag(request, response, `W/"${digest}"`, body);
}

/** As sendCached, for what has a revision of its own, which writes then name in `If-Match`. */
export function sendWithTag(
  request: Request,
  response: Response,
  tag: string,
  body: unknown,
): void {
  response.setHeader('ETag', tag);
  response.setHeader('Cache-Control', 'private, no-cache');
  response.setHeader('Vary', 'Authorization, Cookie, Accept');
  if (matches(request.headers['if-none-match'], tag)) {
    response.status(304).end();
    return;
  }
  response.json(body);
}

function matches(header: string | undefined, tag: string): boolean {
  const bare = (value: string) => value.trim().replace(/^W\//, '');
  return header?.split(',').some(value => bare(value) === bare(tag)) ?? false;
}
