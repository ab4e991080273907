import type { Sql } from 'postgres';

type Seed = { orgId: string; documents: number; words: number };

/** Texts are made once for so many documents each: the index holds every document, which is what is measured. */
const copies = 5;

/** The word of that rank: as frequent as one by the rank (Zipf), from the most frequent one on. */
export function wordOf(sql: Sql, rank: number): Promise<string> {
  return sql<{ word: string }[]>`select bench_word(${rank}) as word`.then(([row]) => row?.word ?? '');
}

export async function prepareSeed(sql: Sql): Promise<void> {
  await sql`set maintenance_work_mem = '256MB'`;
  await sql`set synchronous_commit = off`;
  // No records stand behind the documents: search does not look at them.
  await sql`set session_replication_role = replica`;
  await sql`create function bench_word(rank int) returns text language sql immutable as $$
    select left(translate(md5(rank::text), '0123456789', 'ghijklmnop'), 4 + rank % 6) $$`;
  await sql`create function bench_text(seed text, words int) returns text language sql volatile as $$
    select string_agg(bench_word(floor(exp(random() * ln(20000)))::int), ' ') from generate_series(1, words) where seed is not null $$`;
}

/** Transcripts of an organization, as the triggers would have written them; the index is there afterwards. */
export async function seedTranscripts(sql: Sql, { orgId, documents, words }: Seed): Promise<void> {
  const [index] = await sql<{ definition: string }[]>`
    select indexdef as definition from pg_indexes where indexname = 'search_documents_lexemes'`;
  await sql`drop index search_documents_lexemes`;
  await sql`insert into search_languages values (${orgId}, 'english') on conflict do nothing`;
  await sql`
    insert into search_documents (org_id, record_id, kind, project_id, owner_ids, version, language, body, lexemes, created_at)
    select ${orgId}, 'rec_01' || lpad(to_hex(n * ${copies} + copy), 8, '0') || substr(md5(${orgId} || n::text || copy::text), 1, 16),
           'transcript', 'prj_' || n % 3, '{}', 1, 'english', body, lexemes,
           timestamptz '2026-01-01' + (n * ${copies} + copy) * (interval '90 days' / ${documents})
      from (select n, body, search_lexemes(search_token(${orgId}, 'english'), 'english', '', body, 'DD') as lexemes
              from (select n, bench_text(n::text, ${words}) as body from generate_series(1, ${documents / copies}::int) as n offset 0) as texts
            offset 0) as made, generate_series(0, ${copies - 1}) as copy`;
  await sql.unsafe(index?.definition ?? '');
  await sql`vacuum (analyze) search_documents`;
}
