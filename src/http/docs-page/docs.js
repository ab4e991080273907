/* Shows the document, and sends requests with the token and the organization that are typed in above it. */
const tagOrder = [
  'Records',
  'Analyses',
  'Search',
  'Projects',
  'Profiles',
  'Alerts',
  'Users',
  'Billing',
  'Embedded',
  'Health',
];
const place = (tag) => (tagOrder.includes(tag) ? tagOrder.indexOf(tag) : tagOrder.length);
const element = (id) => document.getElementById(id);

const response = await fetch('/openapi.json');
const spec = await response.json();
leaveOptionalFieldsEmpty(spec);

const ui = globalThis.SwaggerUIBundle({
  spec,
  domNode: element('docs'),
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 3,
  filter: true,
  persistAuthorization: false,
  requestInterceptor: leaveOutEmptyParts,
  tagsSorter: (a, b) => place(a) - place(b),
  tryItOutEnabled: true,
  validatorUrl: null,
});

/** What stands in a field is sent, so an example may not stand in one that nobody has to fill in. */
function leaveOptionalFieldsEmpty({ paths, components }) {
  // The organization is typed in once, for all operations. A key that is sent twice would repeat the first answer.
  for (const parameter of Object.values(components.parameters)) delete parameter.example;
  for (const item of Object.values(paths)) {
    for (const { parameters } of Object.values(item)) {
      for (const { required, schema } of parameters) if (!required && schema) delete schema.examples;
    }
  }
  const { properties } = components.schemas.UploadRecordRequest;
  properties.metadata = { ...properties.metadata, example: {} };
  for (const name of ['projectId', 'transcript']) properties[name] = { ...properties[name], example: '' };
}

/** A field of a form that is left empty is a part that is not sent. */
function leaveOutEmptyParts(request) {
  if (request.body instanceof FormData) {
    const empty = Array.from(request.body.entries()).filter(([, value]) => value === '');
    for (const [name] of empty) request.body.delete(name);
  }
  return request;
}

element('credentials').addEventListener('submit', (event) => {
  event.preventDefault();
  const token = element('token').value.trim();
  const org = element('org').value.trim();
  spec.components.parameters.SelectedOrg.schema = { type: 'string', ...(org && { default: org }) };
  ui.specActions.updateJsonSpec(structuredClone(spec));
  ui.preauthorizeApiKey('bearerAuth', token);
  element('state').textContent = token && org ? 'In use until this page is closed.' : 'Both are needed.';
});
