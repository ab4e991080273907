import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { breachesBetween } from './compatibility/documents.ts';
import { known } from './compatibility/known.ts';
import type { Document } from './compatibility/alternatives.ts';

const releases = fileURLToPath(new URL('../fixtures/upgrade', import.meta.url));
const suffix = '.openapi.json';

const byNumber = new Intl.Collator('en', { numeric: true });
const documents = (await readdir(releases)).filter((name) => name.endsWith(suffix)).toSorted(byNumber.compare);
const last = documents.at(-1) ?? '';
const former = await readJson(`${releases}/${last}`);
const present = await readJson(fileURLToPath(new URL('../../docs/openapi.json', import.meta.url)));

async function readJson(file: string): Promise<Document> {
  return JSON.parse(await readFile(file, 'utf8')) as Document;
}

describe(`clients of ${last.replace(suffix, '')}`, () => {
  it('find every operation, parameter, field, value and status as it was, or marked as deprecated by then', () => {
    const found = breachesBetween(former, present);
    expect(found.filter((breach) => !known.some((each) => each.breach.test(breach)))).toEqual([]);
  });

  it('are told of nothing that no longer applies: every known exception is met', () => {
    const found = breachesBetween(former, present);
    expect(known.filter(({ breach }) => !found.some((each) => breach.test(each)))).toEqual([]);
  });
});

/** A small API, and one change each that its clients would notice, or not. */
const pet = {
  type: 'object',
  required: ['id', 'kind'],
  properties: {
    id: { type: 'string' },
    kind: { type: 'string', enum: ['cat', 'dog'] },
    owner: { type: ['string', 'null'] },
    old: { type: 'string', deprecated: true },
    weight: { type: 'number' },
    legs: { type: 'integer' },
    born: { type: 'string', format: 'date' },
    parts: { type: 'array', items: { $ref: '#/components/schemas/Part' } },
  },
};
const newPet = {
  type: 'object',
  additionalProperties: false,
  required: ['kind'],
  properties: {
    kind: { type: 'string', enum: ['cat', 'dog'] },
    name: { type: 'string', maxLength: 20 },
    weight: { type: 'number', minimum: 0 },
    toy: { anyOf: [{ type: 'string' }, { type: 'object', properties: { name: { type: 'string' } } }] },
  },
};
const api = {
  servers: [{ url: '/v1' }],
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        parameters: [
          { name: 'kind', in: 'query', schema: { type: 'string', enum: ['cat', 'dog'] } },
          { name: 'X-Old', in: 'header', deprecated: true, schema: { type: 'string' } },
        ],
        responses: {
          200: {
            headers: { ETag: { schema: { type: 'string' } } },
            content: {
              'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Pet' } } },
              'text/csv': { schema: { type: 'string' } },
            },
          },
          304: { description: 'As before.' },
        },
      },
      post: {
        operationId: 'createPet',
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/NewPet' } } } },
        responses: { 201: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } } },
      },
    },
    '/pets/{id}': {
      get: { operationId: 'getPet', security: [], parameters: [{ name: 'id', in: 'path' }], responses: {} },
      delete: { operationId: 'deletePet', deprecated: true, responses: {} },
    },
  },
  components: {
    schemas: {
      Pet: pet,
      NewPet: newPet,
      Part: { type: 'object', properties: { parts: { type: 'array', items: { $ref: '#/components/schemas/Part' } } } },
    },
  },
} satisfies Document & { servers: object };
type Api = typeof api;
// Changes set what the type of this very document does not have.
type Loose = Record<string, never>;

function breaches(change: (copy: Api) => void): string[] {
  const copy = structuredClone(api);
  change(copy);
  return breachesBetween(api as Document, copy as Document);
}

const properties = (schema: { properties: object }): Record<string, object> => schema.properties as never;
const operation = (copy: Api, place: 'listPets' | 'createPet' | 'getPet') => {
  const all = { listPets: copy.paths['/pets'].get, createPet: copy.paths['/pets'].post };
  return (place === 'getPet' ? copy.paths['/pets/{id}'].get : all[place]) as unknown as Record<string, object & Loose>;
};

describe('the comparison', () => {
  it.each<[string, (copy: Api) => void, string]>([
    ['an operation', (c) => delete (c.paths['/pets'] as Partial<Api['paths']['/pets']>).post, 'createPet: was removed'],
    ['the address', (c) => void (c.servers = [{ url: '/v2' }]), 'servers: /v1 became /v2'],
    ['an operationId', (c) => void (c.paths['/pets'].get.operationId = 'pets'), 'listPets: is called pets now'],
    ['a credential', (c) => void delete operation(c, 'getPet')['security'], 'getPet: needs a credential now'],
    ['a parameter', (c) => void c.paths['/pets'].get.parameters.shift(), 'listPets query kind: was removed'],
    [
      'a demanded parameter',
      (c) => void c.paths['/pets'].get.parameters.push({ name: 'of', in: 'query', required: true } as never),
      'listPets query of: is required now',
    ],
    [
      'a value of a parameter',
      (c) => void c.paths['/pets'].get.parameters[0]?.schema.enum?.pop(),
      'listPets query kind: no longer accepts "dog"',
    ],
    ['a value that is sent', (c) => void c.components.schemas.NewPet.properties.kind.enum.pop(), '"dog"'],
    ['a field', (c) => delete properties(c.components.schemas.Pet)['owner'], 'listPets 200 [].owner: was removed'],
    ['a field that is sent', (c) => delete properties(c.components.schemas.NewPet)['name'], 'body name: was removed'],
    [
      'a demanded field',
      (c) => void c.components.schemas.NewPet.required.push('name'),
      'createPet body name: is required now',
    ],
    [
      'a demanded body',
      (c) => Object.assign(c.paths['/pets'].post.requestBody, { required: true }),
      'body: is required',
    ],
    ['a value that is answered', (c) => void c.components.schemas.Pet.properties.kind.enum.pop(), 'is never "dog"'],
    ['a field that was always there', (c) => void c.components.schemas.Pet.required.pop(), 'kind: may be missing now'],
    [
      'a null that was not',
      (c) => void (properties(c.components.schemas.Pet)['id'] = { anyOf: [{ type: 'string' }, { type: 'null' }] }),
      'createPet 201 id: may be null now',
    ],
    ['decimals', (c) => void (c.components.schemas.Pet.properties.legs.type = 'number'), 'legs: may have decimals now'],
    ['another format', (c) => void (c.components.schemas.Pet.properties.born.format = 'date-time'), 'format was date'],
    [
      'a narrower type',
      (c) => void (c.components.schemas.NewPet.properties.weight.type = 'integer'),
      'weight: takes no decimals now',
    ],
    ['a choice', (c) => void c.components.schemas.NewPet.properties.toy.anyOf.shift(), 'toy: no longer accepts string'],
    ['a limit', (c) => void (c.components.schemas.NewPet.properties.name.maxLength = 10), 'has another maxLength'],
    [
      'a new limit',
      (c) => Object.assign(c.components.schemas.NewPet.properties.name, { minLength: 1 }),
      'has a minLength',
    ],
    [
      'a field inside a field',
      (c) => delete properties(c.components.schemas.Part)['parts'],
      'listPets 200 [].parts[].parts: was removed',
    ],
    [
      'a status',
      (c) => {
        const { responses } = operation(c, 'createPet') as unknown as { responses: Record<string, object> };
        responses['202'] = { ...responses['201'] };
        delete responses['201'];
      },
      'createPet 201: was removed',
    ],
    [
      'a media type',
      (c) => delete (c.paths['/pets'].get.responses[200].content as Partial<Record<string, object>>)['text/csv'],
      'listPets 200 text/csv: was removed',
    ],
    [
      'a header',
      (c) => delete (c.paths['/pets'].get.responses[200].headers as Partial<Record<string, object>>)['ETag'],
      'listPets 200 header ETag: was removed',
    ],
  ])('finds %s that changed or went', (_what, change, expected) => {
    expect(breaches(change).join('\n')).toContain(expected);
  });

  it.each<[string, (copy: Api) => void]>([
    ['nothing', () => undefined],
    ['an operation more', (c) => Object.assign(c.paths, { '/toys': { get: { operationId: 'listToys' } } })],
    ['a parameter more', (c) => void c.paths['/pets'].get.parameters.push({ name: 'of', in: 'query' } as never)],
    ['a field more', (c) => Object.assign(c.components.schemas.Pet.properties, { size: { type: 'string' } })],
    [
      'a field more to send',
      (c) => Object.assign(c.components.schemas.NewPet.properties, { size: { type: 'string' } }),
    ],
    ['a new value in answers', (c) => void c.components.schemas.Pet.properties.kind.enum.push('owl')],
    ['a wider limit', (c) => void (c.components.schemas.NewPet.properties.name.maxLength = 30)],
    [
      'several values where there was one',
      (c) =>
        void (c.paths['/pets'].get.parameters[0] = {
          name: 'kind',
          in: 'query',
          schema: { type: 'array', items: { type: 'string', enum: ['cat', 'dog'] } },
        } as never),
    ],
    ['what was deprecated before', (c) => delete (c.paths['/pets/{id}'] as Partial<Api['paths']['/pets/{id}']>).delete],
    ['a deprecated field', (c) => delete properties(c.components.schemas.Pet)['old']],
    ['a deprecated parameter', (c) => void c.paths['/pets'].get.parameters.pop()],
    [
      'another name of a parameter of the path',
      (c) => void Object.assign(c, { paths: { '/pets': c.paths['/pets'], '/pets/{pet}': c.paths['/pets/{id}'] } }),
    ],
    [
      'other names and spellings of schemas',
      (c) => {
        const { Pet, ...schemas } = c.components.schemas;
        const { owner, ...rest } = Pet.properties;
        const Animal = {
          allOf: [
            { ...Pet, properties: rest },
            { type: 'object', properties: { owner: { oneOf: [{ type: owner.type[0] }, { type: 'null' }] } } },
          ],
        };
        const text = JSON.stringify({ ...c, components: { schemas: { ...schemas, Animal } } });
        Object.assign(c, JSON.parse(text.replaceAll('schemas/Pet"', 'schemas/Animal"')));
      },
    ],
  ])('says nothing of %s', (_what, change) => {
    expect(breaches(change)).toEqual([]);
  });
});
