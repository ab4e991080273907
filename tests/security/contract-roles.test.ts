import { describe, expect, it } from 'vitest';
import { can, permissions, type Permission } from '../../src/auth/permissions.ts';
import { roles, type Role } from '../../src/model/role.ts';
import { appRouter } from '../../src/api/router.ts';
import { operations } from './operations.ts';

const columns: Role[] = ['owner', 'admin', 'supervisor', 'reviewer', 'agent'];

/**
 * The table of the contract, section 2, once more and by hand: one line a row, one letter a column. What is narrower than
 * a cell (own records, own projects, never an owner) is held by the tests of roles, users and reviews.
 */
const contract = {
  'records:read': 'yyyyy',
  'analyses:read': 'yyyyy',
  search: 'yyyyy',
  'projects:read': 'yyyyy',
  'records:upload': 'yyy-y',
  'records:ingest': 'yyy--',
  'records:update': 'yyy--',
  'records:retry': 'yyy--',
  'records:delete': 'yy---',
  'projects:create': 'yy---',
  'projects:update': 'yy---',
  'projects:delete': 'yy---',
  'annotations:write': 'yyyyy',
  'reviews:submit': 'yyyy-',
  'reviews:dispute': 'yyyyy',
  'analyses:reanalyze': 'yyy--',
  'profiles:read': 'yyyy-',
  'profiles:write': 'yy---',
  'profiles:preview': 'yyy--',
  'alerts:read': 'yyyy-',
  'alerts:write': 'yy---',
  'webhooks:read': 'yyyy-',
  'webhooks:write': 'yy---',
  'portals:read': 'yy---',
  'portals:write': 'yy---',
  'users:list': 'yyy--',
  'users:invite': 'yy---',
  'users:remove': 'yy---',
  'users:change-role': 'yy---',
  'users:confirm': 'y----',
  'billing:read': 'yy---',
  'billing:write': 'y----',
  'tokens:own': 'yyyyy',
  'orgs:read': 'yyyyy',
  'orgs:update': 'yy---',
  'orgs:secure': 'y----',
} satisfies Record<Permission, string>;

const rows = Object.entries(contract) as [Permission, string][];

function rolesIn(cells: string): Role[] {
  return columns.filter((_, index) => cells[index] === 'y');
}

describe('the table of permissions', () => {
  it.each(rows)('grants %s as the contract does: %s', (permission, cells) => {
    expect(columns.filter((role) => can(role, permission))).toEqual(rolesIn(cells));
  });

  it('knows no further role and no further permission', () => {
    expect(roles).toEqual(columns);
    expect(permissions.toSorted()).toEqual(rows.map(([permission]) => permission).toSorted());
  });
});

describe('every procedure', () => {
  const procedures = Object.entries(
    appRouter._def.procedures as unknown as Record<
      string,
      { _def: { meta?: { permission?: Permission; isPersonal?: boolean } } }
    >,
  );

  it.each(procedures)('is open to those whom its permission is granted: %s', (path, { _def: { meta } }) => {
    const operation = operations.find(({ rpc }) => rpc === path);
    const expected = meta?.permission ? rolesIn(contract[meta.permission]) : columns;
    expect(meta?.permission !== undefined || meta?.isPersonal === true).toBe(true);
    expect([...(operation?.roles ?? [])]).toEqual(expected);
  });
});
