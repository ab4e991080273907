import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analyses, outbox, profileVersions, transcripts, usageEntries } from '../../src/db/schema/index.ts';
import type { Actor } from '../../src/auth/principal.ts';
import type { Database } from '../../src/db/scope.ts';
import { previewProfile } from '../../src/domain/profiles/preview.ts';
import { newId } from '../../src/lib/ids.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { seedRecords } from '../support/seed.ts';

let t: TestApp;
let owner: TestMember;
let profileId = '';
let recordId = '';
let count = 0;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  owner = await t.createOrg();
  const created = await t.as(owner, { method: 'POST', url: '/api/v1/profiles', payload: { name: 'Short', ...rubric } });
  profileId = created.body.data.id;
  recordId = await seedCall(owner, ['agent: Hello, this is Sunrise.', 'customer: Hi, my bill is wrong.']);
});
afterAll(() => t.close());

const phrase = (key: string, phrases: string[]) => ({ key, title: 'Says it', weight: 1, kind: 'phrase', phrases });
const rubric = {
  categories: [
    { key: 'opening', title: 'Opening', weight: 1, checks: [phrase('hello', ['hello']), phrase('bye', ['good bye'])] },
  ],
  compliance: [
    { key: 'blame', title: 'No blame', severity: 'high', kind: 'phrase', expect: 'absent', phrases: ['your fault'] },
  ],
};

/** A completed call with a transcript, one line a segment. */
async function seedCall(member: TestMember, lines: string[], status: 'completed' | 'failed' = 'completed') {
  const [id = ''] = await seedRecords(t, member, [{ status, durationSeconds: 20 }]);
  const segments = lines.map((line, index) => {
    const [role = 'agent', text = ''] = line.split(/: (.*)/u);
    const speaker = { role: role as 'agent' | 'customer', speaker: role, channel: 0, confidence: null, words: [] };
    return { id: newId('segment'), index, startMs: index * 4000, endMs: index * 4000 + 3000, text, ...speaker };
  });
  await t.deps.services.db.withOrg(member.orgId, async (tx) => {
    await tx.insert(transcripts).values({
      orgId: member.orgId,
      recordId: id,
      version: 1,
      source: 'supplied',
      channels: 2,
      speakers: [],
      segments,
    });
  });
  return id;
}

const preview = (payload: object, id = profileId, member = owner) =>
  t.as(member, { method: 'POST', url: `/api/v1/profiles/${id}/preview`, payload });

/** Of the organization: analyses, announced events, profile versions, charges. */
async function countRows(): Promise<number[]> {
  return t.deps.services.db.withOrg(owner.orgId, (tx) =>
    Promise.all([analyses, outbox, profileVersions, usageEntries].map((table) => tx.$count(table))),
  );
}

describe('a preview', () => {
  it('answers as an analysis would, with the words that each answer rests on, and stores nothing', async () => {
    const before = await countRows();
    const { status, body } = await preview({ recordId });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      recordId,
      profile: { id: profileId, name: 'Short', version: 1 },
      engine: { kind: 'rules', model: null },
      language: 'en',
      qualityScore: 50,
      categories: { opening: 50 },
      complianceStatus: 'passed',
      checks: [
        { key: 'hello', answer: 'pass', score: 100, evidence: [{ quote: 'Hello, this is Sunrise.', startMs: 0 }] },
        { key: 'bye', answer: 'fail', score: 0, evidence: [] },
      ],
      complianceFindings: [{ key: 'blame', answer: 'pass' }],
      metrics: { talkTimeMs: { agent: 3000, customer: 3000 } },
    });
    expect(await countRows()).toEqual(before);
  });

  it('scores a draft that is not saved: all of it, or the half that is given', async () => {
    const categories = [{ key: 'c', title: 'C', weight: 1, checks: [phrase('sunrise', ['this is sunrise'])] }];
    const half = await preview({ recordId, draft: { categories } });
    expect(half.body.data).toMatchObject({
      profile: { id: profileId, version: null },
      qualityScore: 100,
      complianceFindings: [{ key: 'blame' }],
    });
    const all = await preview({ recordId, draft: { categories, compliance: [] } });
    expect(all.body.data).toMatchObject({ complianceFindings: [], complianceStatus: 'not_applicable' });
    const { body } = await t.as(owner, { url: `/api/v1/profiles/${profileId}` });
    expect(body.data).toMatchObject({ version: 1, categories: [{ key: 'opening' }] });
  });

  it('is one of two at most that an organization has under way, whatever others do', async () => {
    const all = Promise.withResolvers<void>();
    let read = 0;
    const { db, heavyWork } = t.deps.services;
    // They begin to score at the same moment.
    const together: Database = {
      ...db,
      async readOrg(orgId, work) {
        const found = await db.readOrg(orgId, work);
        if ((read += 1) === 4) all.resolve();
        await all.promise;
        return found;
      },
    };
    const other = await t.createOrg();
    const profile = { method: 'POST' as const, url: '/api/v1/profiles', payload: { name: 'Short', ...rubric } };
    const { body } = await t.as(other, profile);
    const theirs = { id: body.data.id, recordId: await seedCall(other, ['agent: Hello.', 'customer: Hi.']) };
    const actor = ({ orgId, userId }: TestMember): Actor => {
      const member = { orgId, userId, role: 'owner' as const, projectIds: null };
      const user = { id: userId, email: 'owner@example.com', name: 'Owner' };
      return { ...member, principal: { kind: 'session', user, memberships: [member] } };
    };
    const ours = { id: profileId, recordId };
    const outcomes = await Promise.allSettled([
      previewProfile({ db: together, heavyWork, actor: actor(owner) }, ours),
      previewProfile({ db: together, heavyWork, actor: actor(owner) }, ours),
      previewProfile({ db: together, heavyWork, actor: actor(owner) }, ours),
      previewProfile({ db: together, heavyWork, actor: actor(other) }, theirs),
    ]);
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refused).toEqual([expect.objectContaining({ code: 'RATE_LIMITED', headers: { 'Retry-After': '1' } })]);
    expect(outcomes[3]?.status).toBe('fulfilled');
    expect((await preview({ recordId })).status).toBe(200);
  });

  it('names the place in a draft that is wrong', async () => {
    const [category] = rubric.categories;
    const short = { ...category, checks: [phrase('x', ['a'])] };
    const refused = await preview({ recordId, draft: { categories: [short] } });
    expect(refused.status).toBe(400);
    expect(refused.body.error.details[0].path).toBe('draft.categories.0.checks.0.phrases.0');
    const twice = await preview({ recordId, draft: { categories: [category, category] } });
    expect(twice.body.error.details[0]).toMatchObject({ path: 'draft.categories.1.key' });
  });

  it('is refused with 404 for a call that the sender may not see, and for a profile of nobody', async () => {
    const supervisor = await t.addMember(owner, 'supervisor', []);
    const stranger = await t.createOrg();
    const answers = await Promise.all([
      preview({ recordId }, profileId, supervisor),
      preview({ recordId }, profileId, stranger),
      preview({ recordId }, newId('profile')),
      preview({ recordId: newId('record') }),
      preview({ recordId: 'x' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  });

  it('waits for the transcript with 409, and says with 422 that there is none', async () => {
    const states = ['pending', 'processing', 'failed', 'completed'] as const;
    const ids = await seedRecords(
      t,
      owner,
      states.map((status) => ({ status })),
    );
    const answers = await Promise.all(ids.map((id) => preview({ recordId: id })));
    expect(answers.map(({ status }) => status)).toEqual([409, 409, 422, 422]);
    expect(answers[2]?.body.error.message).toBe('The record has no transcript: its processing failed.');
  });

  it('is counted like any other request', async () => {
    const { headers } = await preview({ recordId });
    expect(Number(headers['ratelimit-remaining'])).toBeGreaterThanOrEqual(0);
  });
});

describe('templates', () => {
  const create = (payload: object) => t.as(owner, { method: 'POST', url: '/api/v1/profiles', payload });

  it('are listed page by page, without their phrases', async () => {
    const { body } = await t.as(owner, { url: '/api/v1/profiles/templates?pageSize=3' });
    expect(body.meta).toMatchObject({ page: 1, pageSize: 3, total: 4 });
    expect(body.data.map(({ key }: { key: string }) => key)).toEqual(['service', 'sales', 'support']);
    expect(body.data[1]).toMatchObject({ name: 'Sales call', languages: ['en', 'de', 'es', 'ru'] });
    expect(body.data[1].categories[0].checks[0]).toEqual({
      key: 'opening.opens',
      title: 'Greets the customer',
      weight: 3,
      critical: false,
      kind: 'phrase',
    });
    const last = await t.as(owner, { url: '/api/v1/profiles/templates?pageSize=3&page=2' });
    expect(last.body.data.map(({ key }: { key: string }) => key)).toEqual(['collections']);
  });

  it.each(['service', 'sales', 'support', 'collections'])('make a profile of one’s own: %s', async (template) => {
    const made = await create({ template, name: `Own ${template}` });
    expect(made.status).toBe(201);
    expect(made.body.data).toMatchObject({ version: 1, languages: ['en', 'de', 'es', 'ru'] });
    const changed = await t.as(owner, {
      method: 'PATCH',
      url: `/api/v1/profiles/${made.body.data.id}`,
      payload: { categories: made.body.data.categories.slice(0, 1), compliance: [] },
    });
    expect(changed.body.data).toMatchObject({ version: 2, languages: ['en', 'de', 'es', 'ru'] });
  });

  it('are made in some languages alone, the first of them as that of the phrases', async () => {
    const { body } = await create({ template: 'sales', name: `S ${++count}`, languages: ['de', 'ru'] });
    const [check] = body.data.categories[0].checks;
    expect(body.data.languages).toEqual(['de', 'ru']);
    expect(check.phrases[0]).toBe('guten tag/morgen/abend');
    expect(Object.keys(check.translations)).toEqual(['ru']);
    const single = await create({ template: 'sales', name: `S ${++count}`, languages: ['es'] });
    expect(single.body.data.categories[0].checks[0].translations).toBeUndefined();
  });

  it('bring their name, once, and exclude a rubric of one’s own', async () => {
    expect((await create({ template: 'collections' })).body.data.name).toBe('Collections call');
    expect((await create({ template: 'collections' })).status).toBe(409);
    const both = await create({ template: 'sales', ...rubric });
    expect(both.body.error.details.map(({ path }: { path: string }) => path)).toEqual(['categories', 'compliance']);
    const french = await create({ template: 'sales', languages: ['de', 'fr'] });
    expect(french.body.error.details[0]).toMatchObject({ path: 'languages.1' });
    expect((await create({ template: 'mystery' })).status).toBe(400);
    const nothing = await create({});
    expect(nothing.body.error.details.map(({ path }: { path: string }) => path)).toEqual([
      'name',
      'categories',
      'compliance',
    ]);
  });
});
