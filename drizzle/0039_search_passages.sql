CREATE TABLE "search_passages" (
	"org_id" text NOT NULL,
	"record_id" text NOT NULL,
	"kind" text NOT NULL,
	"number" integer NOT NULL,
	"body" text NOT NULL,
	"lexemes" "tsvector" NOT NULL,
	CONSTRAINT "search_passages_org_id_record_id_kind_number_pk" PRIMARY KEY("org_id","record_id","kind","number")
);
--> statement-breakpoint
CREATE TABLE "search_passages_due" (
	"org_id" text NOT NULL,
	"record_id" text NOT NULL,
	"kind" text NOT NULL,
	CONSTRAINT "search_passages_due_org_id_record_id_kind_pk" PRIMARY KEY("org_id","record_id","kind")
);
--> statement-breakpoint
ALTER TABLE "search_passages" ADD CONSTRAINT "search_passages_document_fk" FOREIGN KEY ("org_id","record_id","kind") REFERENCES "public"."search_documents"("org_id","record_id","kind") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "search_passages_due" ADD CONSTRAINT "search_passages_due_document_fk" FOREIGN KEY ("org_id","record_id","kind") REFERENCES "public"."search_documents"("org_id","record_id","kind") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
-- Lexemes of a passage stay beside it: whole rows are what snippets are looked for in.
ALTER TABLE search_passages ALTER COLUMN lexemes SET STORAGE MAIN, ALTER COLUMN body SET STORAGE MAIN;
--> statement-breakpoint
SELECT protect_tenant_table(t::regclass) FROM unnest(ARRAY['search_passages', 'search_passages_due']) AS t;
--> statement-breakpoint
-- Which organizations have any left is asked across all of them; they are cut inside each.
CREATE POLICY system_read ON search_passages_due FOR SELECT TO earshot_system USING (true);
--> statement-breakpoint
GRANT SELECT ON search_passages_due TO earshot_system;
--> statement-breakpoint
-- 800 characters each and the 200 that follow, so that what is no longer than that lies within one of them. Words that a cut
-- runs through are left to the other side. Blocks come first, since finding a character counts all that are before it.
CREATE FUNCTION search_pieces(body text) RETURNS TABLE (number int, piece text) LANGUAGE sql IMMUTABLE AS $$
  SELECT b.n * 10 + i,
         CASE WHEN b.n + i = 0 THEN p.cut ELSE regexp_replace(p.cut, '^\S*\s', '') END
    FROM (SELECT n, substr(body, n * 8000 + 1, 8200) AS block FROM generate_series(0, (length(body) - 1) / 8000) AS n OFFSET 0) AS b
   CROSS JOIN generate_series(0, 9) AS i
   CROSS JOIN LATERAL (SELECT substr(b.block, i * 800 + 1, 1000) AS raw) AS r
   CROSS JOIN LATERAL (SELECT CASE WHEN length(r.raw) < 1000 THEN r.raw ELSE regexp_replace(r.raw, '\s\S*$', '') END AS cut) AS p
   -- What is left after the first 200 is in no other piece.
   WHERE b.n + i = 0 OR length(r.raw) > 200
$$;
--> statement-breakpoint
CREATE FUNCTION put_search_passages(org text, record text, of_kind text, of_language text, content text) RETURNS void LANGUAGE sql AS $$
  DELETE FROM search_passages WHERE (org_id, record_id, kind) = (org, record, of_kind);
  DELETE FROM search_passages_due WHERE (org_id, record_id, kind) = (org, record, of_kind);
  INSERT INTO search_passages (org_id, record_id, kind, number, body, lexemes)
  SELECT org, record, of_kind, p.number, p.piece, to_tsvector(of_language::regconfig, p.piece)
    FROM search_pieces(content) AS p WHERE octet_length(content) > 4000;
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION put_search_document(org text, record text, of_kind text, of_version int, heading text, content text, weights text)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  r record;
  head text := translate(coalesce(heading, ''), U&'\E000\E001', '');
  rest text := left(translate(coalesce(content, ''), U&'\E000\E001', ''), 400000);
  whole text;
BEGIN
  SELECT c.project_id, c.customer_phone, c.created_at, array_remove(ARRAY[c.uploaded_by, c.agent_user_id], NULL) AS owners,
         search_language(p.language) AS language
    INTO r FROM records c JOIN projects p ON p.org_id = c.org_id AND p.id = c.project_id WHERE c.org_id = org AND c.id = record;
  IF NOT FOUND THEN RETURN; END IF;
  head := mask_number(head, r.customer_phone);
  rest := mask_number(rest, r.customer_phone);
  whole := concat_ws(' · ', nullif(head, ''), nullif(rest, ''));
  INSERT INTO search_languages VALUES (org, r.language) ON CONFLICT DO NOTHING;
  INSERT INTO search_documents AS d (org_id, record_id, kind, project_id, owner_ids, version, language, body, lexemes, created_at)
  VALUES (org, record, of_kind, r.project_id, r.owners, of_version, r.language, whole,
          search_lexemes(search_token(org, r.language), r.language,
            -- Identifiers are found by their parts as well.
            CASE of_kind WHEN 'record' THEN head || ' ' || regexp_replace(head, '[^[:alnum:]]+', ' ', 'g') ELSE head END,
            rest, weights), r.created_at)
  ON CONFLICT (org_id, record_id, kind) DO UPDATE SET project_id = excluded.project_id, owner_ids = excluded.owner_ids,
    version = excluded.version, language = excluded.language, body = excluded.body, lexemes = excluded.lexemes;
  PERFORM put_search_passages(org, record, of_kind, r.language, whole);
END $$;
--> statement-breakpoint
-- Cuts so many documents of the organization that have waited for it, the newest first. Gives how many were due here.
CREATE FUNCTION cut_search_passages(row_limit int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  d search_documents;
  done int := 0;
BEGIN
  -- Whoever writes a document cuts it as well.
  FOR d IN SELECT s.* FROM search_documents s JOIN search_passages_due u USING (org_id, record_id, kind)
            WHERE s.org_id = current_org_id() ORDER BY s.created_at DESC LIMIT row_limit FOR UPDATE OF s SKIP LOCKED LOOP
    -- Added to nothing, so that it is read from where long texts lie once, not for every piece.
    PERFORM put_search_passages(d.org_id, d.record_id, d.kind, d.language, d.body || '');
    done := done + 1;
  END LOOP;
  RETURN done;
END $$;
--> statement-breakpoint
-- Any of these, however they are written: as the text of a tsquery.
CREATE FUNCTION search_any(lexemes text[]) RETURNS tsquery LANGUAGE sql IMMUTABLE AS $$
  SELECT string_agg('''' || replace(replace(l, '\', '\\'), '''', '''''') || '''', ' | ')::tsquery FROM unnest(lexemes) AS l
$$;
--> statement-breakpoint
-- From the passage that fits best; where it lacks words that were looked for, from that and one which has some of these. Null
-- where there are no passages (yet).
CREATE FUNCTION search_excerpt(org text, record text, of_kind text, of_language text, q text, options text) RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
  language regconfig := of_language::regconfig;
  wanted tsquery := websearch_to_tsquery(language, q);
  words text[] := tsvector_to_array(to_tsvector(language, q));
  any_word tsquery := search_any(words);
  best search_passages;
  other search_passages;
  lacking tsquery;
BEGIN
  SELECT p.* INTO best FROM search_passages p WHERE (p.org_id, p.record_id, p.kind) = (org, record, of_kind)
   ORDER BY p.lexemes @@ wanted DESC, ts_rank(p.lexemes, any_word) DESC, p.number LIMIT 1;
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF best.lexemes @@ wanted THEN RETURN ts_headline(language, best.body, wanted, options || ', MaxFragments=2'); END IF;
  lacking := search_any(ARRAY(SELECT w FROM unnest(words) AS w WHERE NOT best.lexemes @@ search_any(ARRAY[w])));
  SELECT p.* INTO other FROM search_passages p
   WHERE (p.org_id, p.record_id, p.kind) = (org, record, of_kind) AND p.lexemes @@ lacking
   ORDER BY ts_rank(p.lexemes, lacking) DESC, p.number LIMIT 1;
  IF NOT FOUND THEN RETURN ts_headline(language, best.body, any_word, options || ', MaxFragments=2'); END IF;
  RETURN (SELECT string_agg(ts_headline(language, p.body, p.query, options || ', MaxFragments=1'), ' … ' ORDER BY p.number)
            FROM (VALUES (best.number, best.body, any_word), (other.number, other.body, lacking)) AS p (number, body, query));
END $$;
--> statement-breakpoint
-- As before, but for what is ranked: to rank a document is to read all of its lexemes, so the newest 64 MB of them are. That is a
-- thousand calls of an hour, and more results than an answer has of any length; what is older comes after these.
CREATE OR REPLACE FUNCTION search_matches(q text, of_kind text, of_project text, projects text[], own text, row_limit int)
RETURNS TABLE (record_id text, kind text, score float8, total int, place bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_custom_plan SET enable_seqscan = off
SET enable_indexscan = off SET enable_indexonlyscan = off SET enable_bitmapscan = on AS $$
DECLARE
  org text := current_org_id();
  wanted tsquery;
  part tsquery;
  spoken text;
  is_frequent boolean;
BEGIN
  FOR spoken IN SELECT l.language FROM search_languages l WHERE l.org_id = org LOOP
    part := websearch_to_tsquery(spoken::regconfig, q);
    CONTINUE WHEN querytree(part) IN ('', 'T');
    part := search_prefixed(part::text, search_token(org, spoken))::tsquery;
    wanted := CASE WHEN wanted IS NULL THEN part ELSE wanted || part END;
  END LOOP;
  IF wanted IS NULL THEN RETURN; END IF;

  PERFORM set_config('enable_indexscan', 'on', true), set_config('enable_bitmapscan', 'off', true);
  SELECT count(*) >= 16 INTO is_frequent FROM (
    SELECT * FROM search_documents n WHERE n.org_id = org
     ORDER BY n.created_at DESC NULLS LAST, n.record_id DESC NULLS LAST, n.kind LIMIT 64
  ) d
   WHERE d.lexemes @@ wanted AND (of_kind IS NULL OR d.kind = of_kind) AND (of_project IS NULL OR d.project_id = of_project)
     AND (projects IS NULL OR d.project_id = ANY (projects)) AND (own IS NULL OR own = ANY (d.owner_ids));
  IF NOT is_frequent THEN
    PERFORM set_config('enable_indexscan', 'off', true), set_config('enable_bitmapscan', 'on', true);
  END IF;

  RETURN QUERY
    WITH found AS MATERIALIZED (
      SELECT d.record_id, d.kind, d.lexemes, d.created_at FROM search_documents d
       WHERE d.lexemes @@ wanted
         -- Added to nothing, so that rows are found by the index of lexemes alone.
         AND CASE WHEN is_frequent THEN d.org_id = org ELSE d.org_id || '' = org END
         AND (of_kind IS NULL OR d.kind = of_kind) AND (of_project IS NULL OR d.project_id = of_project)
         AND (projects IS NULL OR d.project_id = ANY (projects)) AND (own IS NULL OR own = ANY (d.owner_ids))
       ORDER BY d.created_at DESC NULLS LAST, d.record_id DESC NULLS LAST, d.kind LIMIT 1000
    ), ranked AS (
      SELECT f.record_id, f.kind, f.created_at,
             -- Rows come as they were found, the newest first.
             CASE WHEN sum(pg_column_size(f.lexemes)) OVER (ROWS UNBOUNDED PRECEDING) <= 64000000
                  THEN ts_rank_cd(f.lexemes, wanted, 33) ELSE 0 END::float8 AS score
        FROM found f
    )
    SELECT r.record_id, r.kind, r.score, (SELECT count(*)::int FROM found), row_number() OVER w FROM ranked r
    WINDOW w AS (ORDER BY r.score DESC, r.created_at DESC, r.record_id DESC, r.kind)
     ORDER BY 5 LIMIT row_limit;
END $$;
--> statement-breakpoint
-- What is there already stays found as it is; long documents are marked, which reads none of them, and cut while the service runs.
DO $$
DECLARE org text;
BEGIN
  FOR org IN SELECT id FROM orgs LOOP
    PERFORM set_config('app.org_id', org, true);
    INSERT INTO search_passages_due SELECT d.org_id, d.record_id, d.kind FROM search_documents d
     WHERE d.org_id = org AND octet_length(d.body) > 4000;
  END LOOP;
  PERFORM set_config('app.org_id', '', true);
END $$;
