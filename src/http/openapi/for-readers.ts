import type { oas31 } from 'zod-openapi';
import { sampleRequestOf, samplesOf } from './samples.ts';

/** How the page groups the tags: what most people come for first. */
const groups = [
  { name: 'Calls', tags: ['Records', 'Search'] },
  { name: 'Quality', tags: ['Analyses', 'Profiles', 'Alerts'] },
  { name: 'Organization', tags: ['Projects', 'Users', 'Billing', 'Webhooks'] },
  { name: 'Service', tags: ['Integrations', 'Embedded', 'Health'] },
];

/**
 * The document as the page at `/docs` shows it: with samples, with the tags in groups, and with the organization as a
 * second credential, so that it is typed in once.
 */
export function forReaders(given: oas31.OpenAPIObject): oas31.OpenAPIObject {
  const document = structuredClone(given);
  const shared = document.components?.parameters ?? {};
  for (const [path, item] of Object.entries((document.paths ?? {}) as Record<string, Operations>)) {
    for (const [method, operation] of Object.entries(item)) {
      const parameters = (operation.parameters ?? []).map((each) => resolved(each, shared));
      const request = sampleRequestOf(operation, { method, path, parameters });
      operation['x-codeSamples'] = samplesOf(request);
      leaveFileToChoose(operation);
      operation.parameters = parameters.filter(({ name }) => name !== organizationHeader).map(leftEmpty);
    }
  }
  return {
    ...document,
    security: [{ Token: [], Organization: [] }],
    tags: groups.flatMap(({ tags }) => (document.tags ?? []).filter(({ name }) => tags.includes(name))),
    'x-tagGroups': groups,
    components: {
      ...document.components,
      securitySchemes: {
        Token: document.components?.securitySchemes?.['bearerAuth'] ?? {},
        Organization: {
          type: 'apiKey',
          in: 'header',
          name: organizationHeader,
          description: 'The organization that requests are meant for (`org_…`).',
        },
      },
    },
  } as oas31.OpenAPIObject;
}

/** What stands in a field is sent: an example may not stand in one that nobody has to fill in. */
function leftEmpty(parameter: oas31.ParameterObject): oas31.ParameterObject {
  if (parameter.required) return parameter;
  const { example: _example, ...rest } = parameter;
  const { examples: _examples, ...schema } = (rest.schema ?? {}) as oas31.SchemaObject;
  return { ...rest, schema };
}

/** The name of a file in its field would be sent as text, and looks as though a file were chosen. */
function leaveFileToChoose({ requestBody }: oas31.OperationObject): void {
  const form = (requestBody as oas31.RequestBodyObject | undefined)?.content['multipart/form-data'];
  for (const example of Object.values(form?.examples ?? {}) as oas31.ExampleObject[]) {
    const { file: _file, ...fields } = example.value as Record<string, string>;
    example.value = fields;
  }
}

type Operations = Record<string, oas31.OperationObject & { 'x-codeSamples'?: unknown }>;

const organizationHeader = 'X-Selected-Org-ID';

function resolved(
  parameter: oas31.ParameterObject | oas31.ReferenceObject,
  shared: Record<string, unknown>,
): oas31.ParameterObject {
  if (!('$ref' in parameter)) return parameter as oas31.ParameterObject;
  return shared[String(parameter.$ref).split('/').at(-1) ?? ''] as oas31.ParameterObject;
}
