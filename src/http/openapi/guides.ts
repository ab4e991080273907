/** What a reader needs besides the operations: each heading is a guide of its own on the page at `/docs`. */
export const guides = `
Earshot turns recorded customer calls into transcripts, quality scores that explain themselves, and compliance findings.
The OpenAPI document of this API is [/openapi.json](/openapi.json).

# First call

Create an API token on the settings page of the dashboard. Then send a recording:

\`\`\`sh
export EARSHOT=http://127.0.0.1:3000 TOKEN=cat_… ORG=org_… PROJECT=prj_…

curl --fail-with-body "$EARSHOT/api/v1/records/upload" \\
  --header "Authorization: Bearer $TOKEN" \\
  --header "X-Selected-Org-ID: $ORG" \\
  --form file=@call.wav \\
  --form projectId="$PROJECT" \\
  --form 'metadata={"agentName":"Maria Lopez"}'
\`\`\`

The answer names a new *record*. It is fetched, transcribed and scored in the background:
\`pending → processing → completed | failed\`.

1. Ask \`GET /records/{id}\` until \`status\` is \`completed\`, or let a [webhook](#webhooks) tell you.
2. Read \`GET /analyses/{analysisId}\`: the score, its checks, and the words that each answer rests on.
3. Read \`GET /records/{id}/transcript\`, or \`/captions\` for a player.

A recording that has an address is sent with \`POST /records/ingest\` instead.

# Authentication

Send \`Authorization: Bearer <token>\` with everything but \`GET /health\`. The token is one of:

- an **API token** (\`cat_…\`), which is shown once, when it is made
- a **session token** (JWT) of your identity provider

Inside a CRM frame, \`POST /embedded/auth\` sets a cookie instead. Each acts for its user, with the present role of that user.

Every request also names its organization: \`X-Selected-Org-ID: org_…\`. \`GET /me\` tells which ones there are.

# Requests and answers

One resource is \`{"data": {…}}\`. A list is \`{"data": […], "meta": {"page", "pageSize", "total", "nextCursor"}}\`. Answers may gain fields, and
lists of values may gain values: ignore what you do not know.

- **Ids** are opaque, begin with their kind (\`rec_…\`) and sort by creation. A malformed id, an unknown one and one of another
  organization are the same 404.
- **Times** are ISO 8601 in UTC with milliseconds, of the years 0001 to 9999. Times inside a recording are whole milliseconds from its start; the duration
  of a record is whole seconds.
- **What is not known is refused.** A query parameter, a field of a body (at any depth) or a part of an upload that the operation
  does not have is 400, and so is a field that the service sets (\`id\`, \`createdAt\`). \`metadata\` is yours to fill, but with no
  key that is nearly one of the fields of a call. \`PATCH\` takes a body; \`{}\` changes nothing.
- **Text** has no NUL character (U+0000). Space around a name does not count, so a name of spaces is empty.
- **Caching.** What is read carries an \`ETag\`. With \`If-None-Match\` the answer is 304 without a body while nothing has changed.
- **Compression.** JSON of 1 KB and more comes as brotli or gzip where \`Accept-Encoding\` asks for it. Each has an \`ETag\` of its own, and
  every one of them is good for \`If-Match\` and \`If-None-Match\`. Bodies that you send come as they are: any \`Content-Encoding\` is 415.

# Editing what others edit

Every \`GET\` of one resource has an \`ETag\`, and so has the answer that makes or changes one and shows it as \`GET\` does (a receipt of a call
and a webhook with its secret are something else). Send it as \`If-Match\` with a \`PATCH\`, a \`DELETE\` or a review, and the change is made only
if nobody else was faster:

\`\`\`sh
TAG=$(curl --silent --head "$EARSHOT/api/v1/projects/$PROJECT" \\
  --header "Authorization: Bearer $TOKEN" \\
  --header "X-Selected-Org-ID: $ORG" | tr -d '\\r' | sed -n 's/^etag: //Ip')

curl --fail-with-body --request PATCH "$EARSHOT/api/v1/projects/$PROJECT" \\
  --header "Authorization: Bearer $TOKEN" \\
  --header "X-Selected-Org-ID: $ORG" \\
  --header "If-Match: $TAG" \\
  --json '{"description":"Calls of the service desk"}'
\`\`\`

412 (\`PRECONDITION_FAILED\`) says that it has changed: read it again, and decide. A tag is of the whole answer, counters included. \`*\`
stands for whatever is there, and a weak tag (\`W/"…"\`) for nothing. The budget has the tag of \`GET /billing/summary/{orgId}\`,
a dispute and its resolution that of the review.

# Errors

An error is \`{"error": {"message", "code"}}\`. Compare \`code\` and show \`message\`, whose words may change. A 400 has
\`details: [{"path", "message"}]\`, which names each mistake by its place and, where there is one, the name that was probably meant.

Checks come in this order: rate limit (429), credential (401), organization header (400), membership and role (403),
parameters and body (400), resource (404), \`If-Match\` (412), state (409, 422). A method that an address does not answer is 405 with \`Allow\`; an
address that does not exist is 404. \`GET\` addresses answer \`HEAD\` as well. A request that does not arrive in time (408) and one whose
headers are too large (431) have the code \`VALIDATION_ERROR\`.

Every answer has \`X-Request-Id\`. Quote it when you report a problem.

# Paging

Every list takes \`page\` (from 1), \`pageSize\` (20, at most 100), \`sort\`, \`order\` (\`asc\`, \`desc\`), \`from\` and \`to\`. The last two are
a date or a date-time, seconds optional; a bare \`to\` date includes its day (UTC). \`from\` after \`to\` is 400, as is any minimum above its maximum. \`total\` is exact. Sorts are stable and put
nulls last.

To read a whole list, send \`meta.nextCursor\` as \`cursor\`, with the same filters and order, until it is null. Nothing is repeated or
skipped while items arrive, as it is with numbers of pages; the last page may be empty. A cursor is opaque, and 400 with other filters,
in another order or beside \`page\`. \`GET /search\`, which is ranked, has pages alone.

# Repeating requests

Every \`POST\` takes an \`Idempotency-Key\` (at most 255 characters), which makes it safe to send again. For 24 hours the same key with
the same method, address and body gets the first answer again (status, body, \`Location\`, \`ETag\`), with \`Idempotent-Replayed: true\`.

- With another body it is 409. While the first request is under way, a second one is 409 with \`Retry-After\`: nothing runs twice.
- The answer is stored together with what it speaks of. When an answer is lost, send the request again under its key until it is
  answered. Refusals that stay are answers, too (404, 409, 422).
- Try again under the same key what is refused before the work begins (400, 401, 403, 412, 413, 415), what passes (402, 429, a 409 with
  \`Retry-After\`) and failures of ours (5xx): then it is done anew.
- A secret is shown once: repeating such a request is 409.
- Keys belong to the API token, else to the user, in one organization. An upload is compared by its parts and the SHA-256 of its
  file. RPC takes no keys.

# Webhooks

\`POST /webhooks\` registers an https address and answers with a secret, which is shown once. Events such as \`record.completed\` are then
sent to it, signed after [Standard Webhooks](https://www.standardwebhooks.com): check \`webhook-signature\` before you believe one.

Answer with 2xx within 15 seconds. Everything else is tried again, with growing pauses, for three days. \`webhook-id\` stays the same, so
that you can tell a repeated delivery. \`POST /webhooks/{id}/test\` sends an event to try it out.

# Limits

- **Requests:** 200 in any 60 seconds by one client: the API token, else the user, else the address (of IPv6 its /64 network). What
  was authenticated counts, however its header is spelt; a credential that is not good counts for the address that it comes from,
  and a good one never does. Refusals count, but not a 429 itself: whoever waits for \`Retry-After\` is let in. Every answer has
  \`RateLimit-Limit\`, \`-Remaining\` and \`-Reset\`. \`/health\` has a count of its own for each address.
- **Sizes:** a recording has at most 500 MB, a transcript 200,000 words, any other body 1 MB.
- **Load:** a service that is busy answers 503 with \`Retry-After\`.

# Versions

This is \`/api/v1\`. What is deprecated keeps working for 12 months and says so in the headers \`Deprecation\` and \`Sunset\`.
`.trim();
