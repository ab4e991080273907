import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';

type Schema = Record<string, unknown>;
type Media = { schema: Schema; examples?: Record<string, { value: unknown }> };
type Response = {
  $ref?: string;
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, Media>;
};
type Parameter = { $ref?: string; name: string; in: string; description?: string; schema: Schema; example?: unknown };

export type OperationJson = {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Response>;
};

export type OpenApiJson = {
  paths: Record<string, Record<string, OperationJson>>;
  components: Record<'schemas' | 'responses' | 'parameters' | 'headers' | 'securitySchemes', Record<string, Schema>>;
  security: Record<string, string[]>[];
};

export type Answer = { status: number; headers: Record<string, unknown>; body: unknown };
export type CheckedExample = { place: string; errors: string[] };

export type Contract = {
  /** Fails unless the operation documents this status, these headers, this media type and every field of this body. */
  check(operationId: string, answer: Answer): void;
  /** What the document has against a parameter or the body of a request. */
  complaints(operationId: string, place: string, value: unknown): string[];
  /** Every example of the document with what its schema has against it. */
  examples(): CheckedExample[];
  /** Where an example is due: every body that is sent, every JSON or text that is answered with success. */
  bodies(): string[];
  resolve<T extends { $ref?: string }>(part: T): T;
  /** Names of schemas that something is sent by. */
  sentNames(): Set<string>;
  /** Names of schemas that only answers hold and that forbid further fields. */
  closedAnswers(): string[];
};

export function operationsOf({ paths }: OpenApiJson): { method: string; path: string; operation: OperationJson }[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/**
 * Holds answers and examples against the document. Objects are closed for it, so that an undocumented field is found:
 * JSON Schema by itself lets every further field pass.
 */
export function createContract(document: OpenApiJson): Contract {
  // Of binary numbers, 19.99 is no multiple of 0.0001.
  const ajv = new Ajv2020({ strict: false, allErrors: true, multipleOfPrecision: 6 });
  addFormats.default(ajv);
  ajv.addFormat('binary', true);
  const closed = structuredClone(document);
  closeObjects(closed);
  ajv.addSchema(closed, 'document');
  const validators = new Map<string, ValidateFunction>();
  const operations = new Map(operationsOf(document).map((each) => [each.operation.operationId, each]));

  function resolve<T extends { $ref?: string }>(part: T): T {
    if (!part.$ref) return part;
    const [, , kind, name = ''] = part.$ref.split('/');
    return document.components[kind as 'schemas'][name] as T;
  }

  function errorsOf(pointer: string[], value: unknown): string[] {
    const fragment = pointer
      .map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    let validate = validators.get(fragment);
    if (!validate) validators.set(fragment, (validate = ajv.compile({ $ref: `document#/${fragment}` })));
    validate(value);
    return (validate.errors ?? []).map(({ instancePath, message, params }) =>
      [instancePath, message, JSON.stringify(params)].join(' '),
    );
  }

  function pointerOf({ path, method }: { path: string; method: string }, response: Response, status: number): string[] {
    const shared = response.$ref?.slice(2).split('/');
    return shared ?? ['paths', path, method.toLowerCase(), 'responses', String(status)];
  }

  return {
    resolve,
    check(operationId, { status, headers, body }) {
      const found = operations.get(operationId);
      const response = found?.operation.responses[status];
      if (!found || !response) throw new Error(`${operationId} does not document ${status}: ${JSON.stringify(body)}`);
      const { content = {}, headers: documented = {} } = resolve(response);
      for (const [name, header] of Object.entries(documented)) {
        const isOptional = resolve(header as { $ref?: string; required?: boolean }).required === false;
        if (!isOptional) expect(headers).toHaveProperty(name.toLowerCase());
      }
      const type = String(headers['content-type'] ?? '').split(';')[0] ?? '';
      if (Object.keys(content).length === 0) {
        expect(body).toBe('');
        return;
      }
      expect(`${operationId} ${status}: ${Object.keys(content)}`).toContain(type);
      const pointer = [...pointerOf(found, response, status), 'content', type, 'schema'];
      const errors = errorsOf(pointer, body);
      if (errors.length > 0) throw new Error(`${operationId} ${status} is not as documented: ${errors.join('; ')}`);
    },
    complaints(operationId, place, value) {
      const found = operations.get(operationId);
      if (!found) throw new Error(`There is no operation ${operationId}.`);
      const { parameters = [] } = found.operation;
      const base = ['paths', found.path, found.method.toLowerCase()];
      if (place === 'body') return errorsOf([...base, 'requestBody', 'content', 'application/json', 'schema'], value);
      const index = parameters.findIndex((parameter) => resolve(parameter).name === place);
      const shared = parameters[index]?.$ref?.slice(2).split('/');
      return errorsOf([...(shared ?? [...base, 'parameters', String(index)]), 'schema'], value);
    },
    examples() {
      return [...operations.values()].flatMap((found) => {
        const { operationId, requestBody, responses, parameters = [] } = found.operation;
        const base = ['paths', found.path, found.method.toLowerCase()];
        const bodies = Object.entries(requestBody?.content ?? {}).flatMap(([type, media]) =>
          examplesOf(media, `${operationId} request`, [...base, 'requestBody', 'content', type, 'schema']),
        );
        const answers = Object.entries(responses).flatMap(([status, response]) =>
          Object.entries(resolve(response).content ?? {}).flatMap(([type, media]) => {
            const pointer = [...pointerOf(found, response, Number(status)), 'content', type, 'schema'];
            return examplesOf(media, `${operationId} ${status} ${type}`, pointer);
          }),
        );
        const given = parameters.flatMap((parameter, index) => {
          const { name, example } = resolve(parameter);
          const pointer = parameter.$ref?.slice(2).split('/') ?? [...base, 'parameters', String(index)];
          if (example === undefined) return [];
          return [{ place: `${operationId} ${name}`, errors: errorsOf([...pointer, 'schema'], example) }];
        });
        return [...bodies, ...answers, ...given];
      });
    },
    bodies() {
      return [...operations.values()].flatMap(({ operation: { operationId, requestBody, responses } }) => [
        ...(requestBody ? [`${operationId} request`] : []),
        ...Object.entries(responses).flatMap(([status, response]) =>
          Object.entries(resolve(response).content ?? {})
            .filter(([, { schema }]) => schema['format'] !== 'binary')
            .map(([type]) => `${operationId} ${status} ${type}`),
        ),
      ]);
    },
    sentNames,
    closedAnswers() {
      const sent = sentNames();
      return Object.entries(document.components.schemas)
        .filter(([name, schema]) => !sent.has(name) && JSON.stringify(schema).includes('"additionalProperties":false'))
        .map(([name]) => name);
    },
  };

  function sentNames(): Set<string> {
    const sent = new Set<string>();
    const follow = (name: string): void => {
      if (sent.has(name)) return;
      sent.add(name);
      for (const next of refsIn(document.components.schemas[name])) follow(next);
    };
    for (const { operation } of operations.values()) for (const name of refsIn(operation.requestBody)) follow(name);
    return sent;
  }

  function examplesOf({ examples = {} }: Media, place: string, pointer: string[]): CheckedExample[] {
    return Object.values(examples).map(({ value }) => ({ place, errors: errorsOf(pointer, value) }));
  }
}

function refsIn(part: unknown): string[] {
  const text = JSON.stringify(part ?? null);
  return [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name);
}

function closeObjects(part: unknown): void {
  if (typeof part !== 'object' || part === null) return;
  for (const value of Object.values(part)) closeObjects(value);
  const schema = part as Schema;
  const isObject = schema['type'] === 'object' && typeof schema['properties'] === 'object';
  // `true` says that an answer may grow; a schema there says that the fields are the caller's own.
  if (isObject && typeof schema['additionalProperties'] !== 'object') schema['additionalProperties'] = false;
}
