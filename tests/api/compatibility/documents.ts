import { listOf, resolve, schemaOf, type Document, type Schema } from './alternatives.ts';
import { breachesOf, type Breach, type Direction } from './schemas.ts';

type Pair = { before: Document; after: Document };
type Parameter = Schema & { name: string; in: string; required?: boolean };

/**
 * Every change between two documents that a client of the former would notice, as `operation place: what`. What the
 * former marks as deprecated may go. Additions are no breaches, and neither are new names of schemas.
 */
export function breachesBetween(before: Document, after: Document): string[] {
  const present = new Map(operationsOf(after).map((each) => [each.key, each]));
  const servers = JSON.stringify([before, after].map((each) => (each as Schema)['servers']));
  const [was, is] = JSON.parse(servers) as [{ url: string }[]?, { url: string }[]?];
  const moved = was?.[0]?.url === is?.[0]?.url ? [] : [`servers: ${was?.[0]?.url} became ${is?.[0]?.url}`];
  const changed = operationsOf(before).flatMap(({ key, name, operation }) => {
    const next = present.get(key);
    if (next) return compareOperations(operation, next.operation, { before, after }).map(saidOf(name));
    return operation['deprecated'] === true ? [] : [`${name}: was removed`];
  });
  return [...moved, ...changed];
}

function saidOf(name: string): (breach: Breach) => string {
  return ({ place, what }) => `${[name, place].filter(Boolean).join(' ')}: ${what}`;
}

function operationsOf({ paths }: Document): { key: string; name: string; operation: Schema }[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Schema>).map(([method, operation]) => ({
      // How a parameter of the path is called is nothing that is sent.
      key: `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`,
      name: String(operation['operationId']),
      operation,
    })),
  );
}

function compareOperations(before: Schema, after: Schema, documents: Pair): Breach[] {
  const [was, is] = [before['operationId'], after['operationId']];
  const renamed = was === is ? [] : [{ place: '', what: `is called ${String(is)} now` }];
  const closed = isPublic(before) && !isPublic(after) ? [{ place: '', what: 'needs a credential now' }] : [];
  return [
    ...renamed,
    ...closed,
    ...compareParameters(before, after, documents),
    ...compareBodies(before, after, documents),
    ...compareResponses(before, after, documents),
  ];
}

function isPublic({ security }: Schema): boolean {
  return Array.isArray(security) && security.length === 0;
}

function compareParameters(before: Schema, after: Schema, { before: former, after: present }: Pair): Breach[] {
  const [was, is] = [parametersOf(before, former), parametersOf(after, present)];
  const removed = [...was].flatMap(([place, parameter]): Breach[] => {
    const next = is.get(place);
    if (!next) return parameter['deprecated'] === true ? [] : [{ place, what: 'was removed' }];
    const schemas = [schemaOf(parameter['schema']) ?? {}, onAddresses(next, present)] as const;
    return breachesOf(...schemas, { before: former, after: present, direction: 'sent' }).map(under(place));
  });
  const required = [...is].filter(([place, parameter]) => parameter.required && was.get(place)?.required !== true);
  return [...removed, ...required.map(([place]) => ({ place, what: 'is required now' }))];
}

/** By place and name; those of the path by their order, since nobody sends their names. */
function parametersOf({ parameters }: Schema, document: Document): Map<string, Parameter> {
  const all = listOf(parameters).map((each) => resolve(each as Parameter, document));
  const inPath = all.filter((parameter) => parameter.in === 'path');
  return new Map(
    all.map((parameter) => {
      const { in: place, name } = parameter;
      if (place === 'path') return [`path ${inPath.indexOf(parameter) + 1}`, parameter];
      return [`${place} ${place === 'header' ? name.toLowerCase() : name}`, parameter];
    }),
  );
}

/** A list of one value is written as the value. */
function onAddresses(parameter: Parameter, document: Document): Schema {
  const schema = resolve(schemaOf(parameter['schema']) ?? {}, document);
  return schema['type'] === 'array' ? { anyOf: [schema, schema['items']] } : schema;
}

function compareBodies(before: Schema, after: Schema, documents: Pair): Breach[] {
  const [was, is] = [schemaOf(before['requestBody']), schemaOf(after['requestBody'])];
  const isDemanded = is?.['required'] === true && was?.['required'] !== true;
  const demanded = isDemanded ? [{ place: 'body', what: 'is required now' }] : [];
  return [...demanded, ...compareContents(was ?? {}, is ?? {}, documents, 'sent').map(under('body'))];
}

function compareResponses(before: Schema, after: Schema, documents: Pair): Breach[] {
  const [former, present] = [schemaOf(before['responses']) ?? {}, schemaOf(after['responses']) ?? {}];
  return Object.entries(former).flatMap(([status, response]) => {
    const next = schemaOf(present[status]);
    if (!next) return [{ place: status, what: 'was removed' }];
    const [was, is] = [resolve(response as Schema, documents.before), resolve(next, documents.after)];
    const headers = Object.entries(schemaOf(was['headers']) ?? {}).filter(
      ([name, header]) =>
        resolve(header as Schema, documents.before)['required'] !== false && !(name in (schemaOf(is['headers']) ?? {})),
    );
    return [
      ...headers.map(([name]) => ({ place: `${status} header ${name}`, what: 'was removed' })),
      ...compareContents(was, is, documents, 'answered').map(under(status)),
    ];
  });
}

function compareContents(before: Schema, after: Schema, documents: Pair, direction: Direction): Breach[] {
  const [former, present] = [schemaOf(before['content']) ?? {}, schemaOf(after['content']) ?? {}];
  return Object.entries(former).flatMap(([type, media]) => {
    const next = schemaOf(present[type]);
    if (!next) return [{ place: type, what: 'was removed' }];
    const [was, is] = [schemaOf(schemaOf(media)?.['schema']) ?? {}, schemaOf(next['schema']) ?? {}];
    return breachesOf(was, is, { ...documents, direction });
  });
}

function under(place: string): (breach: Breach) => Breach {
  return (breach) => ({ ...breach, place: [place, breach.place].filter(Boolean).join(' ') });
}
