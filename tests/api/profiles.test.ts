import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { seedAnalysis, seedRecords } from '../support/seed.ts';

let t: TestApp;
let owner: TestMember;
let count = 0;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  owner = await t.createOrg();
});
afterAll(() => t.close());

const check = { key: 'opening.hello', title: 'Says hello', weight: 1, kind: 'phrase', phrases: ['hello'] };
const category = { key: 'opening', title: 'Opening', weight: 1, checks: [check] };
const rubric = { categories: [category], compliance: [] };

const create = (payload: object = {}) =>
  t.as(owner, {
    method: 'POST',
    url: '/api/v1/profiles',
    payload: { name: `Profile ${++count}`, ...rubric, ...payload },
  });
const patch = (id: string, payload: object) => t.as(owner, { method: 'PATCH', url: `/api/v1/profiles/${id}`, payload });
const get = (id: string, query = '') => t.as(owner, { url: `/api/v1/profiles/${id}${query}` });
const remove = (id: string) => t.as(owner, { method: 'DELETE', url: `/api/v1/profiles/${id}` });

describe('a new organization', () => {
  it('has the standard profile, with the categories of the specification', async () => {
    const { body } = await t.as(await t.createOrg(), { url: '/api/v1/profiles' });
    expect(body.meta).toMatchObject({ page: 1, pageSize: 20, total: 1 });
    expect(body.data[0]).toMatchObject({ name: 'Standard service call', version: 1 });
    const categories: { key: string; weight: number }[] = body.data[0].categories;
    expect(categories.map(({ key }) => key)).toEqual(['greeting', 'problemResolution', 'professionalism', 'closing']);
  });

  it('may send that profile back as it came, under another name', async () => {
    const { body } = await t.as(owner, { url: '/api/v1/profiles' });
    const { categories, compliance } = body.data[0];
    const copy = await create({ categories, compliance });
    expect(copy.status).toBe(201);
    expect(copy.body.data).toMatchObject({ categories, compliance });
  });
});

describe('versions', () => {
  it('are not overwritten by a change that was made to an earlier one', async () => {
    const { id } = (await create()).body.data;
    const titled = (title: string) => ({ categories: [{ ...category, title }] });
    expect((await patch(id, { expectedVersion: 1, ...titled('Theirs') })).body.data.version).toBe(2);
    const late = await patch(id, { expectedVersion: 1, description: 'Mine', ...titled('Mine') });
    expect(late).toMatchObject({
      status: 409,
      body: {
        error: {
          code: 'CONFLICT',
          message: 'The profile is at version 2 by now.',
          details: [{ path: 'expectedVersion' }],
        },
      },
    });
    expect((await get(id)).body.data).toMatchObject({
      version: 2,
      description: '',
      categories: [{ title: 'Theirs' }],
    });
    expect((await patch(id, { expectedVersion: 2, ...titled('Mine') })).body.data.version).toBe(3);
    expect((await patch(id, { expectedVersion: 0 })).status).toBe(400);
  });

  it('grow with every change of the rubric and with no other, and the old ones stay readable', async () => {
    const created = await create({ description: 'First' });
    const { id } = created.body.data;
    expect(created.body.data).toMatchObject({ version: 1, description: 'First' });
    const renamed = await patch(id, { name: `Renamed ${++count}`, description: 'Second' });
    expect(renamed.body.data).toMatchObject({ version: 1, description: 'Second' });
    const second = await patch(id, { categories: [{ ...category, title: 'New' }] });
    expect(second.body.data).toMatchObject({ version: 2, categories: [{ title: 'New' }], compliance: [] });
    const rule = {
      key: 'rule',
      title: 'Rule',
      severity: 'high',
      kind: 'phrase',
      expect: 'absent',
      phrases: ['never mind'],
    };
    const third = await patch(id, { compliance: [rule] });
    expect(third.body.data).toMatchObject({
      version: 3,
      categories: [{ title: 'New' }],
      compliance: [{ key: 'rule' }],
    });

    const versions = await Promise.all([1, 2, 3].map((version) => get(id, `?version=${version}`)));
    expect(versions.map(({ body }) => [body.data.version, body.data.categories[0].title])).toEqual([
      [1, 'Opening'],
      [2, 'New'],
      [3, 'New'],
    ]);
    expect((await get(id)).body.data.version).toBe(3);
    expect((await get(id, '?version=4')).status).toBe(404);
    const bad = await Promise.all(['0', '-1', 'x', '2147483648'].map((version) => get(id, `?version=${version}`)));
    expect(bad.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  });

  it('are numbered without a gap when changes come at the same time', async () => {
    const { id } = (await create()).body.data;
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => patch(id, { categories: [{ ...category, title: `T${index}` }] })),
    );
    expect(answers.map(({ body }) => body.data.version).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 10 }, (_, index) => index + 2),
    );
  });
});

describe('a name', () => {
  it('is taken once, whatever its case and however many ask at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => create({ name: index % 2 ? 'Race' : 'RACE' })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
    const other = (await create()).body.data;
    expect(await patch(other.id, { name: 'race' })).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT' } },
    });
  });

  it('is free again after its profile is deleted', async () => {
    const { id } = (await create({ name: 'Phoenix' })).body.data;
    await remove(id);
    expect((await create({ name: 'Phoenix' })).status).toBe(201);
  });
});

describe('deleting a profile', () => {
  it('is refused while a project uses it', async () => {
    const { id } = (await create()).body.data;
    const project = await t.as(owner, {
      method: 'POST',
      url: '/api/v1/projects',
      payload: { name: 'User', profileId: id },
    });
    expect(await remove(id)).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
    await t.as(owner, { method: 'DELETE', url: `/api/v1/projects/${project.body.data.id}` });
    expect((await remove(id)).status).toBe(204);
  });

  it('takes it from lists, reads, changes and new projects, and leaves the analyses that it made', async () => {
    const { id, name } = (await create()).body.data;
    const [recordId = ''] = await seedRecords(t, owner, [{ status: 'completed' }]);
    const analysisId = await seedAnalysis(t, owner, { recordId, profileId: id, profileName: name });
    expect((await remove(id)).status).toBe(204);
    const answers = await Promise.all([get(id), get(id, '?version=1'), patch(id, { description: 'x' }), remove(id)]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    const { body } = await t.as(owner, { url: '/api/v1/profiles?pageSize=100' });
    expect(body.data.map((profile: { id: string }) => profile.id)).not.toContain(id);
    expect(body.data).toHaveLength(body.meta.total);
    const payload = { name: 'Late', profileId: id };
    expect((await t.as(owner, { method: 'POST', url: '/api/v1/projects', payload })).status).toBe(422);
    const analysis = await t.as(owner, { url: `/api/v1/analyses/${analysisId}` });
    expect(analysis.body.data.profile).toEqual({ id, name, version: 1 });
  });
});

describe('a rubric', () => {
  it.each<[string, object, string]>([
    ['no categories', { categories: [] }, 'categories'],
    ['categories that are no list', { categories: {} }, 'categories'],
    ['no compliance rules at all', { compliance: undefined }, 'compliance'],
    ['a category without checks', { categories: [{ ...category, checks: [] }] }, 'categories.0.checks'],
    ['a key with a space', { categories: [{ ...category, key: 'my key' }] }, 'categories.0.key'],
    ['a weight below zero', { categories: [{ ...category, weight: -1 }] }, 'categories.0.weight'],
    ['no weight at all', { categories: [{ ...category, weight: 0 }] }, 'categories'],
    [
      'checks without weight',
      { categories: [{ ...category, checks: [{ ...check, weight: 0 }] }] },
      'categories.0.checks',
    ],
    [
      'an unknown kind of check',
      { categories: [{ ...category, checks: [{ ...check, kind: 'regex' }] }] },
      'categories.0.checks.0.kind',
    ],
    [
      'no phrases',
      { categories: [{ ...category, checks: [{ ...check, phrases: [] }] }] },
      'categories.0.checks.0.phrases',
    ],
    [
      'an empty phrase',
      { categories: [{ ...category, checks: [{ ...check, phrases: ['ok then', ''] }] }] },
      'categories.0.checks.0.phrases.1',
    ],
    [
      'a field that nobody knows',
      { categories: [{ ...category, checks: [{ ...check, pattern: '.*' }] }] },
      'categories.0.checks.0.pattern',
    ],
    ['the same category twice', { categories: [category, category] }, 'categories.1.key'],
    ['the same check twice', { categories: [category, { ...category, key: 'other' }] }, 'categories.1.checks.0.key'],
    [
      'a rule without severity',
      { compliance: [{ key: 'r', title: 'R', kind: 'phrase', expect: 'absent', phrases: ['never'] }] },
      'compliance.0.severity',
    ],
    [
      'the second of two rules wrong',
      {
        compliance: [
          { key: 'r', title: 'R', severity: 'low', kind: 'phrase', expect: 'absent', phrases: ['never'] },
          { key: 's', title: '', severity: 'low', kind: 'phrase', expect: 'absent', phrases: ['never'] },
        ],
      },
      'compliance.1.title',
    ],
  ])('with %s is refused, and the place is named', async (_case, payload, path) => {
    const refused = await create(payload);
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
    expect(refused.body.error.details.map((detail: { path: string }) => detail.path)).toContain(path);
    expect(refused.body.error.details.every(({ message }: { message: string }) => message.length > 3)).toBe(true);
  });

  it('that only fits its other half badly is refused on a change of one half', async () => {
    const { id } = (await create()).body.data;
    const refused = await patch(id, { categories: [category, category] });
    expect(refused.body.error.details[0].path).toBe('categories.1.key');
    expect((await get(id)).body.data.version).toBe(1);
  });

  it('keeps its defaults as they were when it was made', async () => {
    const { body } = await create();
    expect(body.data.categories[0].checks[0]).toEqual({
      ...check,
      critical: false,
      exemptions: [],
      role: 'agent',
      where: { part: 'whole' },
      expect: 'present',
      elsewhere: 'fail',
    });
  });
});

describe('words of several languages and conditions', () => {
  const wording = { phrases: ['auf wiederhören'] };
  const bye = { ...check, key: 'opening.bye', phrases: ['good bye'], translations: { de: wording } };
  const dependent = {
    ...check,
    key: 'opening.late',
    appliesWhen: { kind: 'answer', check: 'opening.bye', answers: ['fail'] },
  };
  const rule = { key: 'rule', title: 'Rule', severity: 'low', kind: 'metric' };
  const limited = { ...rule, limits: [{ metric: 'durationSeconds', pass: { above: 0 } }] };
  const whole = {
    languages: ['en', 'de'],
    categories: [{ ...category, checks: [bye, dependent] }],
    compliance: [limited],
  };

  it('are kept as they were sent', async () => {
    const { status, body } = await create(whole);
    expect(status).toBe(201);
    expect(body.data).toMatchObject(whole);
    expect((await get(body.data.id)).body.data).toEqual(body.data);
  });

  it('make a new version when the languages change, and are held against each other', async () => {
    const { id } = (await create(whole)).body.data;
    const further = await patch(id, { languages: ['en', 'de', 'es'] });
    expect(further.body.data).toMatchObject({ version: 2, languages: ['en', 'de', 'es'] });
    const refused = await patch(id, { languages: ['en'] });
    expect(refused.body.error.details).toEqual([
      {
        path: 'categories.0.checks.0.translations.de',
        message: '"de" is not among the languages of this profile.',
      },
    ]);
    const any = await patch(id, { languages: [] });
    expect(any.body.data).toMatchObject({ version: 3, languages: [] });
  });

  it.each<[string, object, string]>([
    ['a language in words', { languages: ['German'] }, 'languages.0'],
    ['a language twice', { languages: ['en', 'de', 'en'] }, 'languages.2'],
    [
      'a translation into the first language',
      { languages: ['de'], categories: [{ ...category, checks: [bye] }] },
      'categories.0.checks.0.translations.de',
    ],
    [
      'a condition on a check that there is not',
      { categories: [{ ...category, checks: [dependent] }] },
      'categories.0.checks.0.appliesWhen.check',
    ],
    [
      'a condition on itself',
      { categories: [{ ...category, checks: [{ ...dependent, key: 'opening.bye' }] }] },
      'categories.0.checks.0.appliesWhen.check',
    ],
    [
      'a chain of conditions',
      {
        categories: [
          {
            ...category,
            checks: [
              bye,
              dependent,
              { ...check, appliesWhen: { kind: 'answer', check: 'opening.late', answers: ['pass'] } },
            ],
          },
        ],
      },
      'categories.0.checks.2.appliesWhen.check',
    ],
    [
      'a condition without phrases',
      { categories: [{ ...category, checks: [{ ...check, appliesWhen: { kind: 'phrase', phrases: [] } }] }] },
      'categories.0.checks.0.appliesWhen.phrases',
    ],
    ['a rule with the key of a check', { compliance: [{ ...limited, key: check.key }] }, 'compliance.0.key'],
    [
      'limits that nothing meets',
      { compliance: [{ ...rule, limits: [{ metric: 'durationSeconds', pass: { above: 5, max: 5 } }] }] },
      'compliance.0.limits.0.pass',
    ],
  ])('are refused with %s, and the place is named', async (_case, payload, path) => {
    const refused = await create(payload);
    expect(refused.status).toBe(400);
    expect(refused.body.error.details.map((detail: { path: string }) => detail.path)).toContain(path);
  });
});
