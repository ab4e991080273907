import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../src/model/role.ts';
import { newId } from '../../src/lib/ids.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';

const url = '/api/v1/users';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
});
afterAll(() => t.close());

let count = 0;
const address = (): string => `person${++count}@people.example`;

function invite(by: TestMember, payload: object) {
  return t.as(by, { method: 'POST', url: `${url}/invite`, payload });
}

function change(by: TestMember, id: string, payload: object) {
  return t.as(by, { method: 'PATCH', url: `${url}/${id}`, payload });
}

function remove(by: TestMember, id: string) {
  return t.as(by, { method: 'DELETE', url: `${url}/${id}` });
}

async function rolesOf(owner: TestMember): Promise<Record<string, Role>> {
  const { body } = await t.as(owner, { url: `${url}?pageSize=100` });
  return Object.fromEntries(body.data.map(({ id, role }: { id: string; role: Role }) => [id, role]));
}

async function expireInvite(id: string): Promise<void> {
  await t.deps.connections.system`update invites set expires_at = now() where id = ${id}`;
}

describe('the list of users', () => {
  it('holds members and open invites, oldest first, page by page', async () => {
    const owner = await t.createOrg();
    const reviewer = await t.addMember(owner, 'reviewer', [owner.projectId]);
    const email = address();
    const invited = await invite(owner, { email, role: 'agent' });
    const { body } = await t.as(owner, { url });
    const member = { name: expect.any(String), projectIds: null, status: 'active', lastSeenAt: null };
    const createdAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(body).toEqual({
      data: [
        { ...member, id: owner.userId, email: expect.stringContaining('owner'), role: 'owner', createdAt },
        {
          ...member,
          id: reviewer.userId,
          email: expect.stringContaining('member'),
          role: 'reviewer',
          projectIds: [owner.projectId],
          createdAt,
        },
        { ...member, id: invited.body.data.id, email, name: null, role: 'agent', status: 'invited', createdAt },
      ],
      meta: { page: 1, pageSize: 20, total: 3, nextCursor: null },
    });
    const pages = await Promise.all([1, 2, 3, 4].map((page) => t.as(owner, { url: `${url}?pageSize=1&page=${page}` })));
    expect(pages.flatMap((page) => page.body.data)).toEqual(body.data);
    expect(pages.map((page) => page.body.meta.total)).toEqual([3, 3, 3, 3]);
  });

  it('can be had of members or of invites alone', async () => {
    const owner = await t.createOrg();
    await invite(owner, { email: address(), role: 'agent' });
    const answers = await Promise.all(
      ['active', 'invited', 'gone'].map((status) => t.as(owner, { url: `${url}?status=${status}` })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400]);
    expect(answers.slice(0, 2).map(({ body }) => [body.data[0].status, body.meta.total])).toEqual([
      ['active', 1],
      ['invited', 1],
    ]);
  });
});

describe('an invite', () => {
  it('is sent again on request, once a minute at most, and lives as long as a new one', async () => {
    const owner = await t.createOrg();
    const { id } = (await invite(owner, { email: address(), role: 'agent' })).body.data;
    const again = (by: TestMember, of = id) =>
      t.as(by, { method: 'POST', url: '/api/trpc/users.resendInvite', payload: { json: { id: of } } });
    await t.deps.connections.system`update invites set expires_at = now() + interval '1 hour' where id = ${id}`;
    expect(await again(owner)).toMatchObject({ status: 200, body: { result: { data: { json: { id } } } } });
    await again(owner);
    const [row] = await t.deps.connections.system`
      select expires_at > now() + interval '6 days' as "isRenewed",
             (select count(*)::int from outbox where org_id = ${owner.orgId} and data->>'inviteId' = ${id}) as mails
        from invites where id = ${id}`;
    // Unless the minute was over in between.
    expect(row).toEqual({ isRenewed: true, mails: expect.toBeOneOf([2, 3]) });
    expect((await again(await t.addMember(owner, 'supervisor'))).status).toBe(403);
    for (const [by, of] of [
      [owner, owner.userId],
      [owner, 'inv_none'],
      [await t.createOrg(), id],
    ] as const) {
      expect((await again(by, of)).status).toBe(404);
    }
    await expireInvite(id);
    expect((await again(owner)).status).toBe(404);
    const other = (await invite(owner, { email: address(), role: 'owner' })).body.data;
    expect((await again(await t.addMember(owner, 'admin'), other.id)).status).toBe(403);
  });

  it('is answered with 201, its address and the mail that is to be sent', async () => {
    const owner = await t.createOrg();
    const email = address();
    const answer = await invite(owner, { email, role: 'supervisor', projectIds: [owner.projectId] });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        data: { id: expect.stringMatching(/^inv_/), email, role: 'supervisor', projectIds: [owner.projectId] },
      },
    });
    const { id } = answer.body.data;
    expect(answer.headers['location']).toBe(`${url}/${id}`);
    expect((await t.as(owner, { url: String(answer.headers['location']) })).body).toEqual(answer.body);
    const events = await t.deps.connections.system`
      select data from outbox where org_id = ${owner.orgId} and type = 'invite.mail.requested'`;
    expect(events.map(({ data }) => data)).toEqual([{ inviteId: id }]);
  });

  it('lasts seven days', async () => {
    const owner = await t.createOrg();
    const { body } = await invite(owner, { email: address(), role: 'agent' });
    const [row] = await t.deps.connections.system`
      select round(extract(epoch from expires_at - created_at))::int as seconds from invites where id = ${body.data.id}`;
    expect(row?.seconds).toBe(7 * 86_400);
  });

  it('is refused for an address that has one, or that is a member, in whatever case', async () => {
    const owner = await t.createOrg();
    const email = address();
    await invite(owner, { email, role: 'agent' });
    const [member] = (await t.as(owner, { url })).body.data;
    const again = await Promise.all(
      [email, email.toUpperCase(), ` ${email} `, member.email, member.email.toUpperCase()].map((email) =>
        invite(owner, { email, role: 'reviewer' }),
      ),
    );
    expect(again.map(({ status, body }) => [status, body.error.code])).toEqual(again.map(() => [409, 'CONFLICT']));
    expect((await t.as(owner, { url })).body.meta.total).toBe(2);
  });

  it('is made once when two people send it at the same time', async () => {
    const owner = await t.createOrg();
    const email = address();
    const answers = await Promise.all(Array.from({ length: 8 }, () => invite(owner, { email, role: 'agent' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
  });

  it('can be sent to the same address by another organization', async () => {
    const [one, other] = [await t.createOrg(), await t.createOrg()];
    const email = address();
    const answers = [await invite(one, { email, role: 'agent' }), await invite(other, { email, role: 'agent' })];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  });

  it('is gone once it has expired, and can be sent again', async () => {
    const owner = await t.createOrg();
    const email = address();
    const first = await invite(owner, { email, role: 'agent' });
    const { id } = first.body.data;
    await expireInvite(id);
    expect((await t.as(owner, { url })).body.meta.total).toBe(1);
    const answers = await Promise.all([change(owner, id, { role: 'reviewer' }), remove(owner, id)]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    const second = await invite(owner, { email, role: 'reviewer' });
    expect(second).toMatchObject({ status: 201, body: { data: { role: 'reviewer', status: 'invited' } } });
    expect(second.body.data.id).not.toBe(id);
  });

  it('can be changed and withdrawn while it is open', async () => {
    const owner = await t.createOrg();
    const { body } = await invite(owner, { email: address(), role: 'agent' });
    const { id } = body.data;
    const changed = await change(owner, id, { role: 'supervisor', projectIds: [owner.projectId] });
    expect(changed.body.data).toMatchObject({ id, role: 'supervisor', projectIds: [owner.projectId] });
    expect((await remove(owner, id)).status).toBe(204);
    expect((await t.as(owner, { url: `${url}/${id}` })).status).toBe(404);
  });

  it.each([
    [{ email: 'nobody', role: 'agent' }, 'email'],
    [{ email: `${'a'.repeat(250)}@b.example`, role: 'agent' }, 'email'],
    [{ role: 'agent' }, 'email'],
    [{ email: 'a@b.example', role: 'king' }, 'role'],
    [{ email: 'a@b.example' }, 'role'],
    [{ email: 'a@b.example', role: 'agent', projectIds: 'all' }, 'projectIds'],
  ])('of %j is not valid', async (payload, path) => {
    const owner = await t.createOrg();
    const { status, body } = await invite(owner, payload);
    expect({ status, path: body.error.details[0].path }).toEqual({ status: 400, path });
  });
});

describe('the projects of a user', () => {
  it('have to exist in the organization', async () => {
    const [owner, stranger] = [await t.createOrg(), await t.createOrg()];
    const agent = await t.addMember(owner, 'agent');
    for (const projectIds of [[stranger.projectId], [owner.projectId, newId('project')], ['nonsense']]) {
      const answers = await Promise.all([
        invite(owner, { email: address(), role: 'agent', projectIds }),
        change(owner, agent.userId, { projectIds }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([422, 422]);
    }
    const changed = await change(owner, agent.userId, { projectIds: [owner.projectId, owner.projectId] });
    expect(changed.status).toBe(200);
  });

  it('cannot limit an owner or an admin, and no longer limit who becomes one', async () => {
    const owner = await t.createOrg();
    const projectIds = [owner.projectId];
    const reviewer = await t.addMember(owner, 'reviewer', projectIds);
    const refused = await Promise.all([
      invite(owner, { email: address(), role: 'admin', projectIds }),
      change(owner, reviewer.userId, { role: 'admin', projectIds }),
      change(owner, owner.userId, { projectIds }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([422, 422, 422]);
    const raised = await change(owner, reviewer.userId, { role: 'admin' });
    expect(raised.body.data).toMatchObject({ role: 'admin', projectIds: null });
    const limited = await change(owner, reviewer.userId, { role: 'agent', projectIds });
    expect(limited.body.data).toMatchObject({ role: 'agent', projectIds });
    const kept = await change(owner, reviewer.userId, { role: 'supervisor' });
    expect(kept.body.data).toMatchObject({ role: 'supervisor', projectIds });
    const lifted = await change(owner, reviewer.userId, { projectIds: null });
    expect(lifted.body.data).toMatchObject({ role: 'supervisor', projectIds: null });
  });

  it('take effect on the next request', async () => {
    const owner = await t.createOrg();
    const reviewer = await t.addMember(owner, 'reviewer');
    const see = async () => (await t.as(reviewer, { url: '/api/v1/projects' })).body.meta.total;
    expect(await see()).toBe(1);
    await change(owner, reviewer.userId, { projectIds: [] });
    expect(await see()).toBe(0);
  });
});

describe('an admin', () => {
  it('gives every role but that of an owner', async () => {
    const owner = await t.createOrg();
    const admin = await t.addMember(owner, 'admin');
    const agent = await t.addMember(owner, 'agent');
    for (const role of ['admin', 'supervisor', 'reviewer', 'agent']) {
      expect((await change(admin, agent.userId, { role })).body.data.role).toBe(role);
      expect((await invite(admin, { email: address(), role })).status).toBe(201);
    }
    const refused = [
      await change(admin, agent.userId, { role: 'owner' }),
      await invite(admin, { email: address(), role: 'owner' }),
      await change(admin, admin.userId, { role: 'owner' }),
    ];
    expect(refused.map(({ status, body }) => [status, body.error.code])).toEqual(refused.map(() => [403, 'FORBIDDEN']));
  });

  it('neither changes nor removes an owner, nor an invite of one', async () => {
    const owner = await t.createOrg();
    const second = await t.addMember(owner, 'owner');
    const admin = await t.addMember(owner, 'admin');
    const invited = await invite(owner, { email: address(), role: 'owner' });
    for (const id of [owner.userId, second.userId, invited.body.data.id]) {
      const answers = [
        await change(admin, id, { role: 'agent' }),
        await change(admin, id, { role: 'owner' }),
        await change(admin, id, {}),
        await remove(admin, id),
      ];
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    }
    expect(await rolesOf(owner)).toMatchObject({ [owner.userId]: 'owner', [second.userId]: 'owner' });
  });

  it('may step down, but not up again', async () => {
    const owner = await t.createOrg();
    const admin = await t.addMember(owner, 'admin');
    expect((await change(admin, admin.userId, { role: 'supervisor' })).status).toBe(200);
    expect((await change(admin, admin.userId, { role: 'admin' })).status).toBe(403);
  });

  it('who is demoted meanwhile changes nobody any more', async () => {
    const owner = await t.createOrg();
    const admin = await t.addMember(owner, 'admin');
    const agent = await t.addMember(owner, 'agent');
    const answers = await Promise.all([
      change(owner, admin.userId, { role: 'agent' }),
      ...Array.from({ length: 6 }, () => change(admin, agent.userId, { role: 'admin' })),
    ]);
    expect(answers[0]?.status).toBe(200);
    for (const { status } of answers.slice(1)) expect([200, 403]).toContain(status);
    expect((await change(admin, agent.userId, { role: 'reviewer' })).status).toBe(403);
  });
});

describe('the last owner', () => {
  it('can be neither removed nor demoted', async () => {
    const owner = await t.createOrg();
    const answers = [await change(owner, owner.userId, { role: 'admin' }), await remove(owner, owner.userId)];
    expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual([
      [409, 'CONFLICT'],
      [409, 'CONFLICT'],
    ]);
    const second = await t.addMember(owner, 'owner');
    expect((await change(owner, second.userId, { role: 'admin' })).status).toBe(200);
    expect((await change(owner, owner.userId, { role: 'owner' })).status).toBe(200);
    expect((await remove(owner, owner.userId)).status).toBe(409);
  });

  it('stays when all owners demote each other or leave at the same time', async () => {
    for (let round = 0; round < 4; round += 1) {
      const owner = await t.createOrg();
      const owners = [owner, await t.addMember(owner, 'owner'), await t.addMember(owner, 'owner')];
      const attempts = owners.flatMap((by, index) => {
        const next = owners[(index + 1) % owners.length] ?? owner;
        return [change(by, next.userId, { role: 'admin' }), remove(by, by.userId)];
      });
      const answers = await Promise.all(attempts);
      for (const { status } of answers) expect([200, 204, 401, 403, 404, 409]).toContain(status);
      const [left] = await t.deps.connections.system`
        select count(*)::int as owners from memberships where org_id = ${owner.orgId} and role = 'owner'`;
      expect(left?.owners).toBeGreaterThanOrEqual(1);
    }
  });
});

describe('removing a member', () => {
  it('revokes their API tokens of this organization at once, and of no other', async () => {
    const [owner, elsewhere] = [await t.createOrg(), await t.createOrg()];
    const member = await t.addMember(owner, 'admin');
    expect((await t.as(member, { url })).status).toBe(200);
    expect((await remove(owner, member.userId)).status).toBe(204);
    expect((await t.as(member, { url })).status).toBe(401);
    expect((await t.as(owner, { url: `${url}/${member.userId}` })).status).toBe(404);
    expect((await t.as(elsewhere, { url })).status).toBe(200);
    const [tokens] = await t.deps.connections.system`
      select count(*)::int as left from api_tokens where user_id = ${member.userId}`;
    expect(tokens?.left).toBe(0);
  });

  it('who is in another organization leaves them there', async () => {
    const [owner, elsewhere] = [await t.createOrg(), await t.createOrg()];
    const { userId } = await t.addMember(owner, 'agent');
    await t.deps.connections.system`
      insert into memberships (org_id, user_id, role) values (${elsewhere.orgId}, ${userId}, 'agent')`;
    await remove(owner, userId);
    expect(await rolesOf(elsewhere)).toMatchObject({ [userId]: 'agent' });
    expect((await remove(owner, userId)).status).toBe(404);
  });
});
