import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestMember } from '../support/app.ts';
import { startBitrix24, type Bitrix24Server } from '../support/bitrix24-server.ts';
import { operations, startIntegrator, until, type Answer, type Integrator } from '../support/integrator.ts';
import { bitrixEnv, createPortal, linkPortalOf } from '../support/portal.ts';

/** Every operation that the document gives an `If-Match`: with the tag of what is there, of what was, and of nothing. */
let s: Integrator;
let bitrix: Bitrix24Server;
let owner: TestMember;
let agent: TestMember;
let call: { id: string; analysisId: string };

beforeAll(async () => {
  bitrix = await startBitrix24();
  s = await startIntegrator(bitrixEnv(bitrix));
  owner = await s.app.createOrg();
  agent = await s.app.addMember(owner, 'agent');
  call = await s.scored(owner, { metadata: { agentName: 'Anna' } });
  await s.request(owner, 'updateRecord', { path: [call.id], json: { agentId: agent.userId } });
});
afterAll(async () => {
  await s.close();
  await bitrix.close();
});

type Target = {
  /** The operation whose tag counts, and where it reads. */
  read: string;
  /** Makes something to change, and says where it is. */
  make(): Promise<string[]>;
  /** A further change each time that it is called. */
  json?: () => unknown;
  who?: () => TestMember;
};

const text = () => randomUUID();
const made = async (operationId: string, json: unknown, path: string[] = []): Promise<string[]> => {
  const { status, body } = await s.request(owner, operationId, { json, path });
  if (status !== 201) throw new Error(`${operationId}: ${status} ${JSON.stringify(body)}`);
  return [...path, body.data.id];
};
const condition = { field: 'qualityScore', operator: 'lt', value: 1 };
const alert = { read: 'getAlert', make: () => made('createAlert', { name: text(), condition }) };
const annotation = {
  read: 'getAnnotation',
  make: () => made('createAnnotation', { text: text() }, [call.analysisId]),
};
const portal = {
  read: 'getPortal',
  async make() {
    const path = [await linkPortalOf(s.app, { bitrix, member: owner, portal: createPortal(bitrix) })];
    await until(
      () => s.request(owner, 'getPortal', { path }),
      ({ body }) => body.data.reconciledAt !== null,
    );
    return path;
  },
};
const profile = { read: 'getProfile', make: () => made('createProfile', { name: text(), template: 'service' }) };
const project = { read: 'getProject', make: () => made('createProject', { name: text() }) };
const user = {
  read: 'getUser',
  make: () => made('inviteUser', { email: `${text()}@example.com`, role: 'reviewer' }),
};
const events = ['record.completed'];
const webhook = {
  read: 'getWebhook',
  make: () => made('createWebhook', { url: 'https://hooks.example.com/a', events }),
};
const review = {
  read: 'getReview',
  async make() {
    const path = [call.analysisId];
    // A review that is disputed is not replaced.
    await s.request(owner, 'resolveReview', { path, json: { outcome: 'accepted', comment: text() } });
    await s.request(owner, 'submitReview', { path, json: { verdict: 'approved', comment: text() } });
    return path;
  },
};
let amount = 0;
const roles = ['supervisor', 'agent'];

const targets: Record<string, Target> = {
  updateAlert: { ...alert, json: () => ({ name: text() }) },
  deleteAlert: alert,
  updateAnnotation: { ...annotation, json: () => ({ text: text() }) },
  deleteAnnotation: annotation,
  submitReview: { ...review, json: () => ({ verdict: 'approved', comment: text() }) },
  disputeReview: { ...review, json: () => ({ comment: text() }), who: () => agent },
  resolveReview: {
    read: 'getReview',
    async make() {
      const path = await review.make();
      await s.request(agent, 'disputeReview', { path, json: { comment: text() } });
      return path;
    },
    json: () => ({ outcome: 'accepted', comment: text() }),
  },
  updateBudget: {
    read: 'getUsageSummary',
    make: async () => [owner.orgId],
    json: () => ({ budgetLimit: (amount += 100) }),
  },
  updatePortal: { ...portal, json: () => ({ settings: { durationMinSeconds: (amount += 1) } }) },
  unlinkPortal: portal,
  updateProfile: { ...profile, json: () => ({ description: text() }) },
  deleteProfile: profile,
  updateProject: { ...project, json: () => ({ description: text() }) },
  deleteProject: project,
  updateRecord: { read: 'getRecord', make: async () => [call.id], json: () => ({ tags: [text()] }) },
  deleteRecord: { read: 'getRecord', make: async () => [(await s.scored(owner)).id] },
  updateSignInRules: { read: 'getSignInRules', make: async () => [], json: () => ({}) },
  updateUser: { ...user, json: () => ({ role: roles[(amount += 1) % roles.length] }) },
  removeUser: user,
  updateWebhook: { ...webhook, json: () => ({ description: text() }) },
  deleteWebhook: webhook,
};

const guarded = operations.filter(({ operation }) =>
  ((operation.parameters ?? []) as { $ref?: string }[]).some(({ $ref }) => $ref?.endsWith('/IfMatch')),
);

it('is every PATCH, every DELETE of a thing, and what is said in a review', () => {
  const changing = operations.filter(
    ({ method, path }) =>
      method === 'PATCH' || (method === 'DELETE' && path !== '/embedded/auth') || /\/review(\/\w+)?$/.test(path),
  );
  const expected = changing.filter(({ method }) => method !== 'GET').map(({ operation }) => operation.operationId);
  expect(guarded.map(({ operation }) => operation.operationId).toSorted()).toEqual(expected.toSorted());
  expect(Object.keys(targets).toSorted()).toEqual(expected.toSorted());
});

const named = guarded.map(({ operation, method }) => ({ name: operation.operationId, method }));
const isDeletion = (method: string): boolean => method === 'DELETE';
const targetOf = (name: string): Target => targets[name] ?? alert;

function change(name: string, path: string[], tag: string): Promise<Answer> {
  const { json, who } = targetOf(name);
  const headers = { 'accept-encoding': 'identity', 'if-match': tag };
  return s.request(who?.() ?? owner, name, { path, json: json?.(), headers });
}

function read(name: string, path: string[], coding = 'identity'): Promise<Answer> {
  return s.request(owner, targetOf(name).read, { path, headers: { 'accept-encoding': coding } });
}

async function tagOf(name: string, path: string[], coding?: string): Promise<string> {
  return (await read(name, path, coding)).headers['etag'] ?? 'none';
}

describe('If-Match', () => {
  it.each(named)('of nothing that is there is 412 for $name, and nothing changes', async ({ name }) => {
    const path = await targetOf(name).make();
    const before = await tagOf(name, path);
    for (const tag of ['"nothing"', `W/${before}`, '"a", "b"']) {
      const { status, body } = await change(name, path, tag);
      expect([tag, status, body.error?.code]).toEqual([tag, 412, 'PRECONDITION_FAILED']);
    }
    expect(await tagOf(name, path)).toBe(before);
  });

  it.each(named)('that is none is 400 for $name', async ({ name }) => {
    const path = await targetOf(name).make();
    // What has spaces alone arrives empty.
    for (const tag of ['abc', '"open', ' ']) {
      const { status, body } = await change(name, path, tag);
      expect([tag, status, body.error?.code]).toEqual([tag, 400, 'VALIDATION_ERROR']);
    }
  });

  const coded = named.flatMap((each) => ['identity', 'gzip', 'br'].map((coding) => ({ ...each, coding })));
  it.each(coded)('of what is there, read as $coding, is good for $name', async ({ name, method, coding }) => {
    const path = await targetOf(name).make();
    const { status, headers } = await change(name, path, `"other", ${await tagOf(name, path, coding)}`);
    const after = await read(name, path);
    // What is gone has no tag any more, and its deletion has none of its own.
    expect([status, headers['etag'], after.status]).toEqual(
      isDeletion(method) ? [204, undefined, 404] : [200, after.headers['etag'], 200],
    );
  });

  // Nobody here has the second factor without which the rules cannot be changed.
  it.each(named.filter(({ name }) => name !== 'updateSignInRules'))(
    'of what has changed since is good no more for $name',
    async ({ name, method }) => {
      const path = await targetOf(name).make();
      const tag = await tagOf(name, path);
      expect((await change(name, path, tag)).status).toBe(isDeletion(method) ? 204 : 200);
      expect((await change(name, path, tag)).status).toBe(isDeletion(method) ? 404 : 412);
    },
  );

  it.each(named)('* is good for whatever is there: $name', async ({ name, method }) => {
    const path = await targetOf(name).make();
    expect((await change(name, path, '*')).status).toBe(isDeletion(method) ? 204 : 200);
  });
});
