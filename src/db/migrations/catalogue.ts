import { readFile } from 'node:fs/promises';
import type { ISql } from 'postgres';

/** One line for each schema object that the service relies on, `kind name: definition`, sorted. */
export type Catalogue = ReadonlySet<string>;

/** The result of all migrations, and a digest of these migrations. */
export type ExpectedCatalogue = { digest: string; lines: Catalogue };

export const catalogueFile = new URL('../../../drizzle/catalogue.txt', import.meta.url);

/** The catalogue committed beside the migrations, written by `npm run db:catalogue`. */
export async function readExpectedCatalogue(): Promise<ExpectedCatalogue> {
  const [heading = '', ...lines] = (await readFile(catalogueFile, 'utf8')).split('\n');
  return { digest: heading.replace(/^.* /, ''), lines: new Set(lines.filter(Boolean)) };
}

export function writeCatalogue({ digest, lines }: ExpectedCatalogue): string {
  return [`# What the migrations make; npm run db:catalogue writes it. ${digest}`, ...lines, ''].join('\n');
}

export type CatalogueDifference = {
  /** What the service relies on and the database lacks, or has in another form. */
  missing: string[];
  /** What the database has in addition. */
  extra: string[];
};

export function compareCatalogues(expected: Catalogue, actual: Catalogue): CatalogueDifference {
  return {
    missing: [...expected].filter((line) => !actual.has(line)),
    extra: [...actual].filter((line) => !expected.has(line)),
  };
}

/** Kind and name of a line, without the definition. */
export function subjectOf(line: string): string {
  return line.slice(0, line.indexOf(':'));
}

/** A missing non-unique index only costs time. */
export function isHarmless(line: string): boolean {
  return line.startsWith('index ') && !line.includes(': CREATE UNIQUE INDEX');
}

/**
 * The schema of the database. The same on every supported version of Postgres, whoever owns the tables. Storage
 * settings are up to the operator.
 */
export async function readCatalogue(sql: ISql): Promise<Catalogue> {
  const rows = await sql<{ line: string }[]>`
    select regexp_replace(line, '\\s+', ' ', 'g') as line from (
      ${tables(sql)} union all ${columns(sql)} union all ${constraints(sql)} union all ${indexes(sql)}
      union all ${triggers(sql)} union all ${policies(sql)} union all ${functions(sql)} union all ${grants(sql)}
    ) lines`;
  return new Set(rows.map(({ line }) => line).sort());
}

function tables(sql: ISql) {
  return sql`
    select format('table %s: %s', c.relname, concat_ws(', ', 'is there', case when c.relrowsecurity then 'row security' end,
                  case when c.relforcerowsecurity then 'forced' end)) as line
      from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`;
}

function columns(sql: ISql) {
  return sql`
    select format('column %s.%s: %s', c.relname, a.attname, concat_ws(' ', format_type(a.atttypid, a.atttypmod),
                  case when a.attnotnull then 'not null' end, case a.attidentity when 'a' then 'identity' when 'd' then 'identity' end,
                  case when a.attgenerated <> '' then 'generated' when d.adbin is not null then 'default' end,
                  pg_get_expr(d.adbin, d.adrelid)))
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`;
}

/** NOT NULL is read from the column, as only newer versions have a constraint for it. */
function constraints(sql: ISql) {
  return sql`
    select format('constraint %s on %s: %s', k.conname, c.relname, pg_get_constraintdef(k.oid))
      from pg_constraint k join pg_class c on c.oid = k.conrelid
     where c.relnamespace = 'public'::regnamespace and k.contype in ('p', 'f', 'u', 'c', 'x')`;
}

function indexes(sql: ISql) {
  return sql`
    select format('index %s on %s: %s', i.relname, c.relname,
                  regexp_replace(pg_get_indexdef(i.oid), ' WITH \\(.*?\\)', '') || case when x.indisvalid then '' else ' (not valid)' end)
      from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and not exists (select from pg_constraint k where k.conindid = x.indexrelid and k.contype in ('p', 'u', 'x'))`;
}

function triggers(sql: ISql) {
  return sql`
    select format('trigger %s on %s: %s', t.tgname, c.relname,
                  pg_get_triggerdef(t.oid) || case t.tgenabled when 'O' then '' else ' (switched off)' end)
      from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where c.relnamespace = 'public'::regnamespace and not t.tgisinternal`;
}

function policies(sql: ISql) {
  return sql`
    select format('policy %s on %s: %s', p.policyname, p.tablename, concat_ws(' ', lower(p.permissive), lower(p.cmd), 'to',
                  array_to_string(p.roles, ', '), 'using ' || p.qual, 'with check ' || p.with_check))
      from pg_policies p where p.schemaname = 'public'`;
}

/** Function bodies as digests. The owner matters for functions that run with the rights of one of our roles. */
function functions(sql: ISql) {
  return sql`
    select format('function %s(%s): %s', f.proname, pg_get_function_identity_arguments(f.oid), concat_ws(' ',
                  'returns', pg_get_function_result(f.oid), l.lanname, f.provolatile, f.proparallel,
                  case when f.prosecdef then 'security definer' end,
                  case when pg_get_userbyid(f.proowner) ^@ 'earshot_' then 'of ' || pg_get_userbyid(f.proowner) end,
                  (select string_agg(s, ', ' order by s) from unnest(f.proconfig) s),
                  case when has_function_privilege('public', f.oid, 'execute') then 'for all' end, md5(f.prosrc)))
      from pg_proc f join pg_language l on l.oid = f.prolang
     where f.pronamespace = 'public'::regnamespace
       and not exists (select from pg_depend e where e.classid = 'pg_proc'::regclass and e.objid = f.oid and e.deptype = 'e')`;
}

/** The rights of our roles on tables, on single columns, and on functions that are not public. */
function grants(sql: ISql) {
  return sql`
    select format('grant to %s on %s: %s', a.grantee::regrole, g.name, string_agg(lower(a.privilege_type), ', ' order by a.privilege_type))
      from (
        select c.relname::text as name, c.relacl as acl from pg_class c
         where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relacl is not null
        union all
        select c.relname || '.' || t.attname, t.attacl from pg_class c join pg_attribute t on t.attrelid = c.oid
         where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and t.attacl is not null and not t.attisdropped
        union all
        select f.proname || '()', f.proacl from pg_proc f where f.pronamespace = 'public'::regnamespace and f.proacl is not null
      ) g cross join lateral aclexplode(g.acl) a
     where a.grantee <> 0 and a.grantee::regrole::text ^@ 'earshot_'
     group by a.grantee, g.name`;
}
