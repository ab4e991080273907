import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { roles } from '../../src/model/role.ts';
import { can, permissions } from '../../src/auth/permissions.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';

const url = '/api/v1/me';
let t: TestApp;
let owner: TestMember;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  owner = await t.createOrg('Acme');
});
afterAll(() => t.close());

describe('GET /me', () => {
  it('tells user, organization and token without a selected organization', async () => {
    const authorization = `Bearer ${owner.token}`;
    const response = await t.app.inject({ url, headers: { authorization } });
    expect(response.statusCode).toBe(200);
    const { user, memberships, selected, token } = response.json().data;
    expect(user).toMatchObject({ id: owner.userId, email: expect.stringContaining('@example.com') });
    expect(memberships).toEqual([{ org: { id: owner.orgId, name: 'Acme' }, role: 'owner', projectIds: null }]);
    expect(selected).toBeNull();
    expect(token).toMatchObject({
      id: expect.stringMatching(/^tok_/),
      name: 'test',
      start: owner.token.slice(0, 8),
      lastFour: owner.token.slice(-4),
      expiresAt: null,
    });
    expect(response.body).not.toContain(owner.token.slice(8, -4));
  });

  it.each(roles)('tells what the role allows in the selected organization: %s', async (role) => {
    const member = role === 'owner' ? owner : await t.addMember(owner, role, null);
    const { status, body } = await t.as(member, { url });
    expect(status).toBe(200);
    expect(body.data.selected).toMatchObject({ org: { id: owner.orgId }, role });
    expect(body.data.selected.permissions).toEqual(permissions.filter((permission) => can(role, permission)));
  });

  it('refuses an organization that is not of the credential, and parameters', async () => {
    const stranger = await t.createOrg();
    const headers = { 'x-selected-org-id': stranger.orgId };
    expect(await t.as(owner, { url, headers })).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
    expect(await t.as(owner, { url: `${url}?page=1` })).toMatchObject({ status: 400 });
    expect(await t.as(owner, { url, method: 'POST' })).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });

  it('is 401 for a token that was revoked', async () => {
    const member = await t.addMember(owner, 'agent');
    const first = await t.as(member, { url });
    expect(first.status).toBe(200);
    await t.deps.connections.system`update api_tokens set revoked_at = now() where id = ${first.body.data.token.id}`;
    expect(await t.as(member, { url })).toMatchObject({ status: 401 });
  });
});
