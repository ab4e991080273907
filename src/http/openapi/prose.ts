import type { oas31 } from 'zod-openapi';

const description = `
Earshot turns recorded customer calls into transcripts, quality scores that explain themselves, and compliance findings.

**Send a call** with \`POST /records/upload\` (the file) or \`POST /records/ingest\` (its address). It becomes a *record*,
which is fetched, transcribed and scored in the background: \`pending → processing → completed | failed\`. Poll
\`GET /records/{id}\`, then read \`GET /analyses/{id}\`: every score is broken down into checks, every answer names the
words that it rests on.

**Authentication.** \`Authorization: Bearer <token>\` on everything but \`/health\`: an API token, or a session token of your
identity provider. Inside a CRM frame, the cookie of \`POST /embedded/auth\`. Each acts for its user, with that user's
present role. Every request also names the organization: \`X-Selected-Org-ID: org_…\`.

**Envelope.** One resource: \`{"data": {…}}\`. A list: \`{"data": […], "meta": {"page", "pageSize", "total"}}\`. An error:
\`{"error": {"message", "code"}}\`, on a 400 with \`details: [{"path", "message"}]\`; compare \`code\`, show \`message\`. Responses may gain fields: ignore what you do not know.

**Lists**, all of them, take \`page\` (from 1), \`pageSize\` (20, at most 100), \`sort\`, \`order\` (\`asc\`, \`desc\`), \`from\` and
\`to\`: a date or a date-time, seconds optional; a bare \`to\` date includes its day (UTC). \`total\` is exact. Sorts are
stable and put nulls last.

**What is not known is refused.** A query parameter, a field of a body (at any depth) or a part of an upload that the
operation does not have is 400, and so is a field that the service sets (\`id\`, \`createdAt\`, …). \`details\`, which every 400
carries, names the place and, where there is one, the name that was probably meant. \`metadata\` is yours to fill, but
with no key that is nearly one of the fields of a call. \`PATCH\` takes a body; \`{}\` changes nothing.

**Ids** are opaque, begin with their kind (\`rec_…\`) and sort by creation. A malformed one, an unknown one and one of
another organization are the same 404. **Times** are ISO 8601 in UTC with milliseconds; times inside a recording are
whole milliseconds from its start; the duration of a record is whole seconds.

**Limits.** 200 requests in any 60 seconds by one client: the API token, else the user, else the address (of IPv6 its /64
network). What was authenticated counts, however its header is spelt; a credential that is not good counts for the
address it comes from, and a good one never does. Everything counts, refusals too, but not what is refused for the limit
itself (429): whoever waits for \`Retry-After\` is let in. Every response carries \`RateLimit-Limit\`, \`-Remaining\` and
\`-Reset\`. \`/health\` has a count of its own for each address.

**Caching.** What is read carries an \`ETag\`; with \`If-None-Match\` it is 304 without a body while it is unchanged. Under load the
service answers 503 with \`Retry-After\`.

**Checks come in this order:** rate limit (429), credential (401), organization header (400), membership and role (403), parameters and
body (400), resource (404), state (409, 422). A method that an address does not answer is 405 with \`Allow\`; an address
that does not exist is 404. \`GET\` addresses answer \`HEAD\` as well.

**Repeating requests.** Every \`POST\` takes an \`Idempotency-Key\` (at most 255 characters). For 24 hours the same key with
the same method, address and body gets the first answer again (status, body, \`Location\`), with \`Idempotent-Replayed: true\`;
with another body it is 409. While the first request is under way, a second one is 409 with \`Retry-After\`: nothing runs
twice. The answer is stored together with what it speaks of, so a request whose answer was lost, whatever the reason, is
sent again under its key until it is answered. Refusals that stay are answers, too (404, 409, 422). Under the same key
you may try again what is refused before the work begins (400, 401, 403, 413, 415), what passes (402, 429, and a 409 that
has \`Retry-After\`) and failures of ours (5xx): then it is done anew. A secret is shown once: repeating such a request is
409. Keys belong to the API token, else to
the user, in one organization. An upload is compared by its parts and the SHA-256 of its file. RPC takes no keys.

**Versions.** This is \`/api/v1\`. What is deprecated keeps working for 12 months and says so in the headers
\`Deprecation\` and \`Sunset\`.
`.trim();

export const about = {
  summary: 'Turns call recordings into transcripts and quality scores that explain themselves.',
  description,
  contact: { name: 'Earshot maintainers' },
  license: { name: 'Apache License 2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
};

export const tags = [
  { name: 'Alerts', description: 'Rules that fire on calls that meet a condition, and their firings.' },
  { name: 'Analyses', description: 'What a call is worth and why: scores, checks with evidence, findings, metrics.' },
  { name: 'Billing', description: 'What processing costs: usage, credits, the budget limit.' },
  { name: 'Embedded', description: 'Signing in inside a CRM frame.' },
  { name: 'Health', description: 'Whether the service is well.' },
  { name: 'Integrations', description: 'CRM portals: whose calls are taken, and what is written back.' },
  { name: 'Profiles', description: 'The rubrics that calls are scored by. Versioned: old analyses keep theirs.' },
  { name: 'Projects', description: 'Groups of records with their settings and statistics.' },
  { name: 'Records', description: 'Calls: send them, follow them, listen to them, read what was said.' },
  { name: 'Search', description: 'Full text over records, transcripts and analyses.' },
  { name: 'Users', description: 'Who belongs to the organization, with which role and which projects.' },
  { name: 'Webhooks', description: 'Addresses that events are sent to, and the deliveries.' },
];

/** What a 404 of these operations speaks of. */
export const entities: Record<string, string> = {
  Records: 'Record',
  Alerts: 'Alert',
  Analyses: 'Analysis',
  Projects: 'Project',
  Integrations: 'Portal',
  Profiles: 'Profile',
  Users: 'User',
  Webhooks: 'Webhook',
};

export const selectedOrg: oas31.ParameterObject = {
  name: 'X-Selected-Org-ID',
  in: 'header',
  required: true,
  description: 'The organization that the request is meant for.',
  schema: { type: 'string', minLength: 1 },
  example: 'org_01m7ysd48fenfrajcn47wkxf75',
};

/** On operations about the person. */
export const optionalOrg: oas31.ParameterObject = {
  ...selectedOrg,
  required: false,
  description: 'An organization of yours, to learn what you may do there.',
};

/** On every operation that reads. */
export const ifNoneMatch: oas31.ParameterObject = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: '`ETag` of a copy that you have.',
  schema: { type: 'string' },
};

/** On every operation that makes or starts something. */
export const idempotencyKey: oas31.ParameterObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A value of your own (a UUID, say) that makes it safe to send this request again. See "Repeating requests" above.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: '5f9d7a1e-6c1b-4c0e-9a55-3d1d7a0c2b64',
};

export const securitySchemes: Record<string, oas31.SecuritySchemeObject> = {
  bearerAuth: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'API token or JWT',
    description:
      'An API token (`cat_…`), shown once when it is made and stored as a hash only; or a session token (JWT) of the ' +
      'OpenID provider that the service trusts.',
  },
  cookieAuth: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-session',
    description:
      'A session inside a CRM frame, from `POST /embedded/auth`. Requests that change something need an `Origin`.',
  },
};
