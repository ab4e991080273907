import type { FastifyInstance } from 'fastify';
import { assertStorable } from '../lib/storable.ts';

const formType = 'application/x-www-form-urlencoded';

/** Takes forms where it is registered. A field that is given twice counts once, as PHP has it: the last one. */
export function acceptForms(app: FastifyInstance): void {
  app.addContentTypeParser(formType, { parseAs: 'string' }, (_req, body, done) => {
    done(null, new Map(new URLSearchParams(String(body))));
  });
}

/** The fields of a form; none where the body is something else. Throws VALIDATION_ERROR for text that cannot be stored. */
export function readForm(body: unknown): Map<string, string> {
  const form = body instanceof Map ? (body as Map<string, string>) : new Map<string, string>();
  assertStorable(Object.fromEntries(form));
  return form;
}
