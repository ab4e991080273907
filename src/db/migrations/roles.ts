import type { ISql, TransactionSql } from 'postgres';
import { SchemaError } from './schema-error.ts';

/**
 * The roles that policies apply to. Roles belong to the server, not to the database, so a dump does not contain them.
 */
export const serviceRoles = ['earshot_app', 'earshot_system', 'earshot_search'] as const;

export type RoleState = {
  role: string;
  isThere: boolean;
  /** Whether the service's own user may switch to this role. */
  isOurs: boolean;
  /** Whether policies apply to it. */
  isBound: boolean;
};

export async function readRoles(sql: ISql): Promise<RoleState[]> {
  const [server] = await sql<{ version: number }[]>`select current_setting('server_version_num')::int as version`;
  // Since version 16, a member is not always allowed to switch to the role, for example a creator who is not a
  // superuser.
  const right = (server?.version ?? 0) >= 160_000 ? 'SET' : 'MEMBER';
  return sql<RoleState[]>`
    select wanted.role, r.oid is not null as "isThere",
           coalesce(pg_has_role(current_user, r.oid, ${right}), false) as "isOurs",
           coalesce(not (r.rolsuper or r.rolbypassrls), true) as "isBound"
      from unnest(${serviceRoles as unknown as string[]}::text[]) with ordinality wanted(role, n)
      left join pg_roles r on r.rolname = wanted.role order by wanted.n`;
}

/**
 * Creates the roles and the right to switch to them, if missing. Throws SchemaError with instructions for an
 * administrator.
 */
export async function ensureRoles(tx: TransactionSql): Promise<void> {
  const states = (await readRoles(tx)).filter(({ isThere, isOurs }) => !isThere || !isOurs);
  if (states.length === 0) return;
  try {
    await tx.savepoint(async (inner) => {
      for (const { role, isThere } of states) {
        if (!isThere) await makeRole(inner, role);
        await inner.unsafe(`grant ${role} to current_user`);
      }
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SchemaError(
      `The service needs its roles, and may not create them itself (${reason}). ${howToMake(states, await userOf(tx))}`,
      {
        cause: error,
      },
    );
  }
}

/** The SQL for an administrator of the server. */
export function howToMake(states: readonly RoleState[], user: string): string {
  const creating = states.filter(({ isThere }) => !isThere).map(({ role }) => `create role ${role} nologin;`);
  const granting = `grant ${states.map(({ role }) => role).join(', ')} to "${user}";`;
  return `As an administrator of the server run: ${[...creating, granting].join(' ')}`;
}

export async function userOf(sql: ISql): Promise<string> {
  const [row] = await sql<{ user: string }[]>`select current_user as user`;
  return row?.user ?? '';
}

/** Databases of one server share the roles, so another one may create them at the same moment. */
async function makeRole(tx: TransactionSql, role: string): Promise<void> {
  await tx.unsafe(`do $$ begin
    create role ${role} nologin nobypassrls;
  exception when duplicate_object or unique_violation then null; end $$`);
}
