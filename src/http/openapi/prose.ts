import type { oas31 } from 'zod-openapi';
import { guides } from './guides.ts';

export const about = {
  summary: 'Turns call recordings into transcripts and quality scores that explain themselves.',
  description: guides,
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

/** On every operation that changes what can be read alone. */
export const ifMatch: oas31.ParameterObject = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of what you have read: the change is made only if that is still what is there, else the answer is 412. `*` stands for whatever is there. See "Editing what others edit".',
  schema: {
    type: 'string',
    pattern:
      '^([ \\t]*\\*[ \\t]*|[ \\t,]*(W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"([ \\t]*,[ \\t]*((W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*")?)*[ \\t]*)$',
  },
  example: '"pZGm1Av0IEBKARczz7exkNYsZb8"',
};

/** On every operation that makes or starts something. */
export const idempotencyKey: oas31.ParameterObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A value of your own (a UUID, say) that makes it safe to send this request again. See "Repeating requests".',
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
