import type { Sql } from 'postgres';

type Seed = {
  orgId: string;
  documents: number;
  words: number;
  /** Texts are made once for so many documents each: the index holds every document, which is what is measured. */
  copies?: number;
};

/** What some of the texts say beside words by rank: with accents, and in a script without spaces. */
export const said = { accented: 'réclamation', unspaced: '申请退款' };
/** Agents of the calls: the first has a twentieth of them, the second one in a thousand. */
export const agents = { busy: 'Ann Busy', seldom: 'Ben Seldom' };

/** The word of that rank: as frequent as one by the rank (Zipf), from the most frequent one on. */
export function wordOf(sql: Sql, rank: number): Promise<string> {
  return sql<{ word: string }[]>`select bench_word(${rank}) as word`.then(([row]) => row?.word ?? '');
}

export async function prepareSeed(sql: Sql): Promise<void> {
  await sql`set maintenance_work_mem = '256MB'`;
  await sql`set synchronous_commit = off`;
  // Documents are written without the triggers that would write them one by one.
  await sql`set session_replication_role = replica`;
  await sql`create function bench_word(rank int) returns text language sql immutable as $$
    select left(translate(md5(rank::text), '0123456789', 'ghijklmnop'), 4 + rank % 6) $$`;
  await sql`create function bench_text(seed text, words int) returns text language sql volatile as $$
    select string_agg(bench_word(floor(exp(random() * ln(20000)))::int), ' ') from generate_series(1, words) where seed is not null $$`;
  // Every twentieth text has words with accents, every tenth some in Chinese: characters by rank, as words are.
  await sql.unsafe(`create function bench_said(n int, words int) returns text language sql volatile as $$
    select bench_text(n::text, words) || case when n % 20 = 0 then ' ${said.accented} à côté' else '' end
      || case when n % 10 = 0 then ' ' || (select string_agg(chr(19968 + floor(exp(random() * ln(2000)))::int), '')
                                             from generate_series(1, 60) where n is not null)
         || case when n % 40 = 0 then '${said.unspaced}' else '' end else '' end $$`);
}

/** Transcripts of an organization, as the triggers would have written them; the index is there afterwards. */
export async function seedTranscripts(sql: Sql, seed: Seed): Promise<void> {
  await withoutIndex(sql, () => seedDocuments(sql, { ...seed, kind: 'transcript' }));
}

/** The same with all else that a call has in the index, and with the calls, which filters look at. */
export async function seedCalls(sql: Sql, seed: Seed): Promise<void> {
  await withoutIndex(sql, async () => {
    await seedDocuments(sql, { ...seed, kind: 'transcript' });
    await seedDocuments(sql, { ...seed, kind: 'analysis', words: 20 });
    await seedDocuments(sql, { ...seed, kind: 'record', words: 4 });
  });
  await sql`
    insert into records (org_id, id, project_id, source, status, agent_name, quality_score, compliance_status, created_at)
    select org_id, record_id, project_id, 'api', case when n % 50 = 0 then 'failed' else 'completed' end,
           case when n % 1000 = 7 then ${agents.seldom} when n % 20 = 3 then ${agents.busy} else 'Agent ' || n % 37 end,
           n % 101, 'passed', created_at
      from (select d.*, row_number() over (order by created_at)::int as n from search_documents d
             where org_id = ${seed.orgId} and kind = 'transcript') as d`;
  await sql`vacuum (analyze) records`;
}

async function withoutIndex(sql: Sql, work: () => Promise<void>): Promise<void> {
  const [index] = await sql<{ definition: string }[]>`
    select indexdef as definition from pg_indexes where indexname = 'search_documents_lexemes'`;
  await sql`drop index search_documents_lexemes`;
  await work();
  await sql.unsafe(index?.definition ?? '');
  await sql`vacuum (analyze) search_documents`;
}

/** Each copy of the texts follows the one before in time, so that the newest calls say different things. */
async function seedDocuments(
  sql: Sql,
  { orgId, documents, words, copies = 5, kind }: Seed & { kind: string },
): Promise<void> {
  const texts = documents / copies;
  await sql`insert into search_languages values (${orgId}, 'english') on conflict do nothing`;
  await sql`
    insert into search_documents (org_id, record_id, kind, project_id, owner_ids, version, language, body, lexemes, created_at)
    select ${orgId}, 'rec_01' || lpad(to_hex(n), 8, '0') || substr(md5(${orgId} || n::text), 1, 16),
           ${kind}, 'prj_' || n % 3, '{}', 1, 'english', body, search_lexemes(search_token(${orgId}, 'english'), 'english', '', body, 'DD'),
           timestamptz '2026-01-01' + n * (interval '90 days' / ${documents})
      from (select n, bench_said(n, ${words}) as body from generate_series(1, ${texts}::int) as n offset 0) as texts`;
  for (let copy = 1; copy < copies; copy += 1) {
    await sql`
      insert into search_documents (org_id, record_id, kind, project_id, owner_ids, version, language, body, lexemes, created_at)
      select org_id, 'rec_01' || lpad(to_hex(('x' || substr(record_id, 7, 8))::bit(32)::int + ${copy * texts}), 8, '0') || substr(record_id, 15),
             kind, project_id, owner_ids, ${copy + 1}, language, body, lexemes, created_at + ${copy} * (interval '90 days' / ${copies})
        from search_documents where org_id = ${orgId} and kind = ${kind} and version = 1`;
  }
}
