import { Agent, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildOpenApiDocument } from '../../src/http/openapi/document.ts';
import { linkPortal } from '../../src/domain/embedded/service.ts';
import { clientId, clientSecret, startBitrix24, type Bitrix24Server } from '../support/bitrix24-server.ts';
import { createResources } from '../security/resources.ts';
import { seedAnalysis, seedRecords } from '../support/seed.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { requestsTo, type FuzzRequest } from './fuzz-requests.ts';
import type { Pools } from './fuzz-values.ts';
import { createContract, operationsOf, type Answer, type OpenApiJson } from './openapi-contract.ts';
import { formBytes, formType, wavHeader } from './upload-support.ts';

const seed = 20_260_302;
/** So many that each operation gets some that it does. */
export const manyRequests = 5_000;

const document = buildOpenApiDocument({ version: '1.0.0' }) as unknown as OpenApiJson;
const operations = operationsOf(document);
const contract = createContract(document);

let t: TestApp;
let bitrix: Bitrix24Server;
let baseUrl: string;
/** Names of tables that are no words of their own. */
let tables: RegExp;
let sent = 0;
const agent = new Agent({ keepAlive: true });

/** Sends so many requests at least, spread over all operations, and holds each answer against the document. */
export function fuzzEveryOperation({ requestsMin }: { requestsMin: number }): void {
  const pairsPerOperation = Math.ceil(requestsMin / 2 / operations.length);
  beforeAll(async () => {
    bitrix = await startBitrix24();
    t = await createTestApp({
      runPipeline: false,
      env: {
        LOG_LEVEL: 'fatal',
        RATE_LIMIT_PER_MINUTE: '1000000',
        BITRIX24_CLIENT_ID: clientId,
        BITRIX24_CLIENT_SECRET: clientSecret,
        BITRIX24_OAUTH_URL: bitrix.baseUrl,
        OUTBOUND_ALLOW: '127.0.0.1',
      },
    });
    baseUrl = await t.listen();
    const rows = await t.deps.connections.system<{ name: string }[]>`
      select relname as name from pg_class where relnamespace = 'public'::regnamespace and relname like '%\\_%'`;
    tables = new RegExp(rows.map(({ name }) => name).join('|'));
  });
  afterAll(async () => {
    agent.destroy();
    await t.close();
    await bitrix.close();
  });

  describe(`whatever is sent to it (seed ${seed})`, () => {
    it.each(operations)('$operation.operationId answers as it is documented', async (each) => {
      const isReading = each.method === 'GET' || each.method === 'HEAD';
      const { owner, pools } = await (isReading ? (readers ??= createFilledOrg()) : createFilledOrg());
      const context = { resolve: contract.resolve, pools };
      const statuses = new Set<number>();
      const request = requestsTo(each, context, owner.headers);
      // Two at once, some of them the same: what one does must not make the other fail.
      const pairs = fc.tuple(request, fc.option(request, { freq: 2 })).map(([one, other]) => [one, other ?? one]);
      await fc.assert(
        fc.asyncProperty(pairs, async (pair) => {
          sent += pair.length;
          const answers = await Promise.all(pair.map(send));
          for (const { status } of answers) statuses.add(status);
          const { operationId } = each.operation;
          const faults = answers.flatMap((received, index) => faultsOf(operationId, pair[index], received));
          expect(faults).toEqual([]);
        }),
        { seed, numRuns: pairsPerOperation },
      );
      // Requests that are all refused would prove little, and a few may well be.
      if (requestsMin < manyRequests) return;
      const answered = [...statuses].filter((status) => status < 300 || status === 503);
      expect(answered.length > 0).toBe(!refusedHere.has(each.operation.operationId));
    });

    it(`has been tried with ${requestsMin} requests`, () => {
      expect(sent).toBeGreaterThanOrEqual(requestsMin);
    });
  });
}

/**
 * All that is sent to these is refused: they take a secret that the portal was told alone, which nobody comes upon, or a
 * call that has been transcribed, and nothing is processed here.
 */
const refusedHere = new Set(['linkPortal', 'receivePortalEvent', 'swapSpeakers']);

type FilledOrg = { owner: TestMember; pools: Pools };
/** Readings leave everything as it was, so that they share an organization. */
let readers: Promise<FilledOrg> | undefined;

async function createFilledOrg(): Promise<FilledOrg> {
  const owner = await t.createOrg();
  return { owner, pools: await fillPools(owner) };
}

/** Two of each kind of resource, and a recording, by the name of the field that takes their id. */
async function fillPools(owner: TestMember): Promise<Pools> {
  const pools: Pools = new Map();
  const add = (name: string, id: string) => void pools.set(name, [...(pools.get(name) ?? []), id]);
  for (const resources of [await createResources(t, owner), await createResources(t, owner)]) {
    for (const [name, id] of Object.entries(resources)) add(name, id);
  }
  const wav = Buffer.concat([wavHeader(16_044), Buffer.alloc(16_000)]);
  const payload = formBytes([
    { name: 'projectId', content: owner.projectId },
    { name: 'file', fileName: 'call.wav', type: 'audio/wav', content: wav },
  ]);
  const headers = { 'content-type': formType };
  const { body } = await t.as(owner, { method: 'POST', url: '/api/v1/records/upload', headers, payload });
  // Often enough that what only a recording answers is met.
  for (let times = 0; times < 3; times++) add('recordId', body.data.id);
  // The others are reviewed, which a re-analysis does not replace unasked.
  const [unreviewed = ''] = await seedRecords(t, owner, [{ status: 'completed' }]);
  const analysisId = await seedAnalysis(t, owner, { recordId: unreviewed });
  for (let times = 0; times < 2; times++) add('analysisId', analysisId);
  const [disputed = ''] = pools.get('analysisId') ?? [];
  const dispute = { comment: 'I see it otherwise.' };
  await t.as(owner, { method: 'POST', url: `/api/v1/analyses/${disputed}/review/dispute`, payload: dispute });
  for (const [name, value] of Object.entries(await openFrame(owner))) add(name, value);
  return pools;
}

let frames = 0;

/** What a linked portal gives to the frame of one of its users. */
async function openFrame({ orgId }: TestMember): Promise<Record<string, string>> {
  const userId = ++frames;
  const portal = { memberId: `portal${userId}`, domain: bitrix.domain };
  const { connections, services } = t.deps;
  await linkPortal({ db: services.db, system: connections.system }, orgId, portal);
  bitrix.users.set(userId, { id: userId, isAdmin: false, firstName: 'Vera', lastName: 'Orlova' });
  bitrix.grants.set(`grant${userId}`, { clientId, ...portal, userId });
  return { ...portal, authId: `grant${userId}`, refreshId: 'none' };
}

type Received = { status: number; headers: Record<string, unknown>; text: string };

async function send({ method, url, headers, payload, isOverSocket }: FuzzRequest): Promise<Received> {
  if (isOverSocket) return sendOverSocket({ method, url, headers, payload });
  const response = await t.app.inject({ method: method as 'GET', url, headers, ...(payload && { payload }) });
  return {
    status: response.statusCode,
    headers: response.headers,
    text: textOf(response.headers, response.rawPayload),
  };
}

function sendOverSocket({ method, url, headers, payload }: Omit<FuzzRequest, 'isOverSocket'>): Promise<Received> {
  const { promise, resolve, reject } = Promise.withResolvers<Received>();
  const length = payload ? { 'content-length': String(payload.length) } : {};
  const req = request(`${baseUrl}`, { method, path: url, headers: { ...headers, ...length }, agent }, (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', reject);
    response.on('end', () => {
      const { statusCode: status = 0, headers } = response;
      resolve({ status, headers, text: textOf(headers, Buffer.concat(chunks)) });
    });
  });
  req.on('error', reject);
  req.end(payload);
  return promise;
}

function textOf(headers: Record<string, unknown>, bytes: Buffer): string {
  const coding = headers['content-encoding'];
  if (coding === 'br') return brotliDecompressSync(bytes).toString();
  return (coding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
}

const validRequestId = /^[A-Za-z0-9._-]{1,128}$/;
const leaks =
  /node_modules|\.[jt]s:\d+|\bat \w+ \(|insert into|select .+ from|violates|relation "|column "|syntax error at|duplicate key|invalid byte sequence|out of range for type|ECONN|Postgres|drizzle|TRPCError|ZodError/i;

/** What is wrong with an answer, whatever was asked. */
function faultsOf(
  operationId: string,
  sent: FuzzRequest | undefined,
  { status, headers: answered, text }: Received,
): string[] {
  const faults: string[] = [];
  const isJson = String(answered['content-type'] ?? '').startsWith('application/json');
  const answer: Answer = { status, headers: answered, body: isJson && text !== '' ? JSON.parse(text) : text };
  // Without its pipeline the service is not well, and says so.
  if (status >= 500 && operationId !== 'getHealth') faults.push(`${status}: ${text}`);
  try {
    contract.check(operationId, answer);
  } catch (error) {
    faults.push(String(error));
  }
  const [given, id] = [sent?.headers['x-request-id'], String(answered['x-request-id'])];
  if (!validRequestId.test(id)) faults.push(`The request id is ${id}.`);
  if (given !== undefined && validRequestId.test(given) && id !== given)
    faults.push(`The request id ${given} is lost.`);
  if (status >= 400)
    faults.push(...[leaks, tables].filter((words) => words.test(text)).map((words) => `${words}: ${text}`));
  return faults;
}
