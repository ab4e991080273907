import type { Sql } from 'postgres';
import { prepareSeed } from './search-seed.ts';

/** So many texts are made; each stands for as many calls as it takes. */
const texts = 1_000;
const words = 60;

/** A transcript for every record of the organization, as the triggers would have written them into the search. */
export async function seedSearch(sql: Sql, orgId: string): Promise<void> {
  await prepareSeed(sql);
  const [index] = await sql<{ definition: string }[]>`
    select indexdef as definition from pg_indexes where indexname = 'search_documents_lexemes'`;
  await sql`drop index search_documents_lexemes`;
  await sql`insert into search_languages values (${orgId}, 'english') on conflict do nothing`;
  await sql`create temporary table bench_texts as
    select n, body, search_lexemes(search_token(${orgId}, 'english'), 'english', '', body, 'DD') as lexemes
      from (select n, bench_text(n::text, ${words}) as body from generate_series(0, ${texts - 1}::int) as n offset 0) as made`;
  await sql`
    insert into search_documents (org_id, record_id, kind, project_id, owner_ids, version, language, body, lexemes, created_at)
    select ${orgId}, r.id, 'transcript', r.project_id, '{}', 1, 'english', t.body, t.lexemes, r.created_at
      from (select id, project_id, created_at, row_number() over () % ${texts}::int as n from records where org_id = ${orgId}) as r
      join bench_texts t using (n)`;
  await sql.unsafe(index?.definition ?? '');
  await sql`vacuum (analyze) search_documents`;
}
