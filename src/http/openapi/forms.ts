import type { oas31 } from 'zod-openapi';
import { isSchema, refName, requestContents, type Schema } from './schema-tree.ts';

const form = 'multipart/form-data';

/**
 * A part of a form that is an object travels as JSON. It is documented as text that holds the object: generated clients
 * would send one part for each of its fields.
 */
export function writeObjectsAsText(document: oas31.OpenAPIObject): void {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  for (const { [form]: media } of requestContents(document)) {
    const name = isSchema(media?.schema) ? refName(media.schema) : undefined;
    const properties = schemas[name ?? '']?.['properties'];
    if (!isSchema(properties)) continue;
    for (const [key, part] of Object.entries(properties)) {
      const held = isSchema(part) ? refName(part) : undefined;
      if (held === undefined) continue;
      const said = schemas[held]?.['description'];
      properties[key] = {
        type: 'string',
        description: [`A \`${held}\` as JSON.`, said].filter(Boolean).join(' '),
        contentMediaType: 'application/json',
        contentSchema: part,
      };
    }
  }
}
