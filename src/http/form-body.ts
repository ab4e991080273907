import type { FastifyInstance } from 'fastify';
import { assertStorable } from '../lib/storable.ts';

export const formType = 'application/x-www-form-urlencoded';

/** Accepts forms where it is registered. If a field is repeated, the last one counts, as in PHP. */
export function acceptForms(app: FastifyInstance): void {
  app.addContentTypeParser(formType, { parseAs: 'string' }, (_req, body, done) => {
    done(null, new Map(new URLSearchParams(String(body))));
  });
}

/** The fields of a form; none if the body is something else. Throws VALIDATION_ERROR for text that cannot be stored. */
export function readForm(body: unknown): Map<string, string> {
  const form = body instanceof Map ? (body as Map<string, string>) : new Map<string, string>();
  assertStorable(Object.fromEntries(form));
  return form;
}
