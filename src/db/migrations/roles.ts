import type { ISql, TransactionSql } from 'postgres';
import { SchemaError } from './schema-error.ts';

/** Whom the policies are for. Roles belong to the server, not to the database: a dump of the database does not bring them. */
export const serviceRoles = ['earshot_app', 'earshot_system', 'earshot_search'] as const;

export type RoleState = {
  role: string;
  isThere: boolean;
  /** Whether the service's own user may work as this role. */
  isOurs: boolean;
  /** Whether policies hold for it. */
  isBound: boolean;
};

export async function readRoles(sql: ISql): Promise<RoleState[]> {
  const [server] = await sql<{ version: number }[]>`select current_setting('server_version_num')::int as version`;
  // Since version 16 a member need not be allowed to work as the role, as who has created it without being a superuser.
  const right = (server?.version ?? 0) >= 160_000 ? 'SET' : 'MEMBER';
  return sql<RoleState[]>`
    select wanted.role, r.oid is not null as "isThere",
           coalesce(pg_has_role(current_user, r.oid, ${right}), false) as "isOurs",
           coalesce(not (r.rolsuper or r.rolbypassrls), true) as "isBound"
      from unnest(${serviceRoles as unknown as string[]}::text[]) with ordinality wanted(role, n)
      left join pg_roles r on r.rolname = wanted.role order by wanted.n`;
}

/** Makes the roles and the right to work as them, where one of these is missing. Throws SchemaError with what an administrator has to do. */
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
      `The service needs its roles, and may not make them itself (${reason}). ${howToMake(states, await userOf(tx))}`,
      {
        cause: error,
      },
    );
  }
}

/** What an administrator of the server has to run. */
export function howToMake(states: readonly RoleState[], user: string): string {
  const creating = states.filter(({ isThere }) => !isThere).map(({ role }) => `create role ${role} nologin;`);
  const granting = `grant ${states.map(({ role }) => role).join(', ')} to "${user}";`;
  return `As an administrator of the server run: ${[...creating, granting].join(' ')}`;
}

export async function userOf(sql: ISql): Promise<string> {
  const [row] = await sql<{ user: string }[]>`select current_user as user`;
  return row?.user ?? '';
}

/** Databases of one server share the roles: another one may make them at the same moment. */
async function makeRole(tx: TransactionSql, role: string): Promise<void> {
  await tx.unsafe(`do $$ begin
    create role ${role} nologin nobypassrls;
  exception when duplicate_object or unique_violation then null; end $$`);
}
