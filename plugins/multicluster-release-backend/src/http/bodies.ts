import { createHash } from 'node:crypto';
import express, { type ErrorRequestHandler, type Request, type RequestHandler } from 'express';
import { DocumentsRefusedError } from '../commands/errors';
import type { IdempotencyKey } from '../store';

/** Backstage's own limit of 100 kB is less than many sets of manifests. */
const BODY_LIMIT = '2mb';
const YAML_TYPES = ['application/yaml', 'application/x-yaml', 'text/yaml'];

export function bodyParsers(): RequestHandler[] {
  return [
    express.json({ limit: BODY_LIMIT }),
    asContractType,
    express.text({ limit: BODY_LIMIT, type: 'application/yaml' }),
  ];
}

/** All names of YAML are one. */
const asContractType: RequestHandler = (request, _response, next) => {
  const [type] = (request.headers['content-type'] ?? '').split(';');
  if (YAML_TYPES.includes(type.trim().toLowerCase())) {
    request.headers['content-type'] = 'application/yaml';
  }
  next();
};

/** A body that cannot be read: its own message would quote what was sent. */
export const bodyErrors: ErrorRequestHandler = (error, _request, _response, next) => {
  const type = (error as { type?: string }).type ?? '';
  if (type === 'entity.too.large') {
    const limit = `The body is larger than ${BODY_LIMIT}. Point to manifests instead of sending them.`;
    next(Object.assign(unreadable('TooLarge', limit), { statusCode: 413 }));
  } else if (type === 'entity.parse.failed') {
    next(unreadable('InvalidRequest', 'The body is not valid JSON.'));
  } else {
    next(error);
  }
};

function unreadable(code: string, message: string): Error {
  return new DocumentsRefusedError(code, [{ code, message, path: 'body' }]);
}

/** Documents as one text: JSON is YAML, and a list of documents is a stream of them. */
export function documentText(request: Request): string {
  const { body } = request as { body: unknown };
  if (typeof body === 'string') {
    return body;
  }
  const documents: unknown[] = Array.isArray(body) ? body : [body];
  return documents.map(document => JSON.stringify(document, undefined, 2)).join('\n---\n');
}

/** The request's Idempotency-Key, bound to who sent it and to what was asked. */
export function readIdempotency(request: Request, caller: string): IdempotencyKey | undefined {
  const key = request.header('Idempotency-Key');
  if (!key) {
    return undefined;
  }
  const asked = JSON.stringify([request.method, request.path, request.query, request.body ?? '']);
  return { scope: caller, key, bodyHash: createHash('sha256').update(asked).digest('hex') };
}
