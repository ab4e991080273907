import type { FastifyRequest } from 'fastify';
import { AppError, validationError } from '../lib/errors.ts';
import { unknownName } from '../lib/nearest-name.ts';

/**
 * The query parameters of a request. Throws VALIDATION_ERROR for an unknown one: ignoring a misspelt filter would
 * return everything.
 */
export function readQuery({ url, query }: FastifyRequest, known: readonly string[]): Record<string, unknown> {
  assertDecodable(url);
  const given = query as Record<string, unknown>;
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  if (unknown.length === 0) return given;
  const details = unknown.map((path) => ({ path, message: unknownName('query parameter', path, known) }));
  throw new AppError('VALIDATION_ERROR', 'The request is not valid.', { details });
}

/** Fastify leaves invalid encodings as they are; such a filter would silently find nothing. */
function assertDecodable(url: string): void {
  const start = url.indexOf('?');
  if (start < 0 || !url.includes('%', start)) return;
  try {
    decodeURIComponent(url.slice(start));
  } catch {
    throw validationError('url', 'The address is not validly encoded.');
  }
}
