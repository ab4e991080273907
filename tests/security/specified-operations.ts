/** What `/api/v1` has promised, in the words of its specification: nothing here may disappear or move. */
const specified = `
  | GET    | /health                            | public, no authentication                 |
  | POST   | /embedded/auth                     | sign in inside a CRM frame                |
  | GET    | /records                           | list records, paginated and filterable    |
  | GET    | /records/:id                       | record details                            |
  | POST   | /records/upload                    | upload audio                              |
  | POST   | /records/ingest                    | ingest from a CRM webhook                 |
  | GET    | /records/:id/transcript            | transcript                                |
  | GET    | /records/:id/audio                 | stream audio                              |
  | DELETE | /records/:id                       | delete record                             |
  | GET    | /projects                          | list projects                             |
  | POST   | /projects                          | create project                            |
  | GET    | /projects/:id                      | project details                           |
  | PATCH  | /projects/:id                      | update project                            |
  | DELETE | /projects/:id                      | delete project                            |
  | GET    | /projects/:id/stats                | project statistics                        |
  | GET    | /analyses                          | list analyses                             |
  | GET    | /analyses/:id                      | analysis details                          |
  | POST   | /analyses/:id/re-analyze           | re-analyse with a different profile       |
  | GET    | /analyses/:id/annotations          | list annotations                          |
  | POST   | /analyses/:id/annotations          | add annotation                            |
  | GET    | /analyses/:id/review               | get QA review                             |
  | POST   | /analyses/:id/review               | submit QA review                          |
  | GET    | /alerts                            | list alert rules                          |
  | POST   | /alerts                            | create alert rule                         |
  | PATCH  | /alerts/:id                        | update alert rule                         |
  | DELETE | /alerts/:id                        | delete alert rule                         |
  | GET    | /users                             | list organization users                   |
  | POST   | /users/invite                      | invite a user by e-mail                   |
  | PATCH  | /users/:id                         | update user role                          |
  | DELETE | /users/:id                         | remove user from the organization         |
  | GET    | /billing/summary/:orgId            | usage summary for the current period      |
  | GET    | /billing/usage/:orgId              | detailed usage metrics                    |
  | GET    | /billing/credits/:orgId            | credits list and balances                 |
  | PATCH  | /billing/budget/:orgId             | update budget limit                       |
  | GET    | /search                            | full-text search                          |
`;

/** What the contract adds to it. */
const added = `
  | POST   | /records/:id/retry                 | process a failed record again             |
  | GET    | /profiles                          | list profiles                             |
  | POST   | /profiles                          | create a profile                          |
  | GET    | /profiles/:id                      | read a profile                            |
  | PATCH  | /profiles/:id                      | make a new version                        |
  | DELETE | /profiles/:id                      | delete a profile                          |
  | GET    | /profiles/templates                | list ready-made profiles                  |
  | POST   | /profiles/:id/preview              | score a call without storing anything     |
  | PATCH  | /analyses/:id/annotations/:annotationId | change one's own annotation          |
  | DELETE | /analyses/:id/annotations/:annotationId | delete one's own annotation          |
  | POST   | /analyses/:id/review/dispute       | dispute a review                          |
  | POST   | /analyses/:id/review/resolve       | resolve a dispute                         |
  | POST   | /records/:id/swap-speakers         | swap agent and customer                   |
  | GET    | /alerts/:id/events                 | list the firings of a rule                |
  | GET    | /webhooks                          | list webhooks                             |
  | POST   | /webhooks                          | create a webhook                          |
  | GET    | /webhooks/:id                      | read a webhook                            |
  | PATCH  | /webhooks/:id                      | update a webhook                          |
  | DELETE | /webhooks/:id                      | delete a webhook                          |
  | POST   | /webhooks/:id/rotate-secret        | replace the secret                        |
  | POST   | /webhooks/:id/test                 | send a test event                         |
  | GET    | /webhooks/:id/deliveries           | list deliveries and their attempts        |
  | POST   | /webhooks/deliveries/:id/redeliver | send an event again                       |
  | POST   | /integrations/bitrix24/events      | events of Bitrix24 portals                |
  | GET    | /integrations/bitrix24/portals     | list portals                              |
  | POST   | /integrations/bitrix24/portals     | link a portal                             |
  | GET    | /integrations/bitrix24/portals/:id | read a portal                             |
  | PATCH  | /integrations/bitrix24/portals/:id | update a portal                           |
  | DELETE | /integrations/bitrix24/portals/:id | unlink a portal                           |
  | GET    | /integrations/bitrix24/calls       | list the calls of portals                 |
`;

/** As `METHOD /path/{id}`. */
export const specifiedOperations = [specified, added].flatMap((table) =>
  [...table.matchAll(/\| (\w+) +\| (\S+) +\|/g)].map(
    ([, method, path = '']) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`,
  ),
);
