import type { Request } from 'express';
import type { PageRequest } from '../store';

/** One query parameter; the contract was checked before. */
export function queryText(request: Request, name: string): string | undefined {
  const value = request.query[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function queryNumber(request: Request, name: string): number | undefined {
  const value = request.query[name];
  // The validator hands on numbers where the contract says so, and texts where it does not.
  return value === undefined || value === '' ? undefined : Number(value);
}

export function queryFlag(request: Request, name: string): boolean {
  return String(request.query[name]) === 'true';
}

export function queryPage(request: Request, defaultLimit?: number): PageRequest {
  return {
    limit: queryNumber(request, 'limit') ?? defaultLimit,
    cursor: queryText(request, 'cursor'),
  };
}
