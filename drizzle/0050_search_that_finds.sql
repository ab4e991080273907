CREATE TABLE "search_remakes" (
	"org_id" text PRIMARY KEY NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"record_id" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "search_documents" ADD COLUMN "starts" integer[];--> statement-breakpoint
ALTER TABLE "search_documents" ADD COLUMN "roles" text;--> statement-breakpoint
ALTER TABLE "search_passages" ADD COLUMN "first_line" integer;
--> statement-breakpoint
SELECT protect_tenant_table('search_remakes'::regclass);
--> statement-breakpoint
-- Which organizations have any left is asked across all of them; documents are made anew inside each.
CREATE POLICY system_read ON search_remakes FOR SELECT TO earshot_system USING (true);
--> statement-breakpoint
GRANT SELECT ON search_remakes TO earshot_system;
--> statement-breakpoint
-- Without the marks of Latin letters, character by character, so that a place in one text is the same place in the other. Other
-- scripts keep theirs, which make other letters there; only ё is often written е. The extension unaccent would need a superuser.
CREATE FUNCTION search_folded(content text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF octet_length(content) = length(content) THEN RETURN content; END IF;
  RETURN translate(normalize(regexp_replace(normalize(content, NFD), '([A-Za-z])[\u0300-\u036f]+', '\1', 'g'), NFC),
    'øØłŁđĐħĦŧŦıёЁ', 'oOlLdDhHtTiеЕ');
END $$;
--> statement-breakpoint
-- Scripts without spaces as pairs of characters, and the last one by itself: Thai, Lao, Burmese, Khmer, Japanese, Chinese.
CREATE FUNCTION search_spaced(content text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF octet_length(content) = length(content)
     OR content !~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]' THEN
    RETURN content;
  END IF;
  RETURN (
    SELECT string_agg(coalesce(' ' || (
             SELECT string_agg(c.here || coalesce(c.next, ''), ' ' ORDER BY c.n)
               FROM (SELECT t.here, t.n, lead(t.here) OVER (ORDER BY t.n) AS next
                       FROM unnest(string_to_array(m.part[1], NULL)) WITH ORDINALITY AS t(here, n)) AS c) || ' ', m.part[2]), '' ORDER BY m.n)
      FROM regexp_matches(content,
        '([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+)|([^\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+)',
        'g') WITH ORDINALITY AS m(part, n));
END $$;
--> statement-breakpoint
-- As before, and with what is found without accents, by pairs of characters, and by the beginning of a word: words as they are written
-- begin with `=` behind the token. These have no places, and only those stand there whose stem is not they themselves.
CREATE OR REPLACE FUNCTION search_lexemes(token text, language text, heading text, content text, weights text) RETURNS tsvector
LANGUAGE plpgsql STABLE AS $$
DECLARE
  head text := search_spaced(regexp_replace(heading, '\S{200,}', ' ', 'g'));
  rest text := search_spaced(regexp_replace(content, '\S{200,}', ' ', 'g'));
  made tsvector;
  folded tsvector;
  plain text[];
BEGIN
  LOOP
    BEGIN
      made := setweight(to_tsvector(language::regconfig, head), left(weights, 1)::"char")
        || setweight(to_tsvector(language::regconfig, rest), right(weights, 1)::"char");
      IF octet_length(head || rest) > length(head || rest) THEN
        folded := setweight(to_tsvector(language::regconfig, search_folded(head)), left(weights, 1)::"char")
          || setweight(to_tsvector(language::regconfig, search_folded(rest)), right(weights, 1)::"char");
        made := search_folded(made::text)::tsvector;
        IF folded <> made THEN made := made || folded; END IF;
      END IF;
      IF language <> 'simple' THEN
        plain := ARRAY(
          SELECT token || '=' || w FROM unnest(tsvector_to_array(to_tsvector('simple', search_folded(head || ' ' || rest)))) AS w
           WHERE length(w) >= 4 EXCEPT SELECT token || '=' || w FROM unnest(tsvector_to_array(made)) AS w);
      END IF;
      -- No kind of token holds a space, so each lexeme begins after one: ten times as fast as search_prefixed.
      IF token <> '' THEN made := replace(' ' || made::text, ' ''', ' ''' || token)::tsvector; END IF;
      RETURN made || array_to_tsvector(coalesce(plain, '{}'));
    EXCEPTION WHEN program_limit_exceeded THEN
      head := left(head, length(head) / 2);
      rest := left(rest, length(rest) / 2);
    END;
  END LOOP;
END $$;
--> statement-breakpoint
-- Masks a number also where it is said over the end of a line.
CREATE OR REPLACE FUNCTION mask_number(body text, phone text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  digits text := regexp_replace(coalesce(phone, ''), '\D', '', 'g');
  tail text := right(digits, 9);
  separator text := '[ \n().\-]{0,2}';
BEGIN
  IF length(digits) < 5 OR strpos(regexp_replace(body, '\D', '', 'g'), tail) = 0 THEN RETURN body; END IF;
  RETURN regexp_replace(body, '\+?[0-9]{0,4}' || separator || array_to_string(string_to_array(tail, NULL), separator),
    CASE WHEN phone LIKE '+%' AND length(digits) > 6 THEN '+' || left(digits, 1) ELSE '' END
    || '******' || CASE WHEN length(digits) > 6 THEN right(digits, 4) ELSE '' END, 'g');
END $$;
--> statement-breakpoint
-- With lexemes as those of whole documents, without a token; `first_line` counts the lines that end before a piece.
CREATE OR REPLACE FUNCTION put_search_passages(org text, record text, of_kind text, of_language text, content text)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM search_passages WHERE (org_id, record_id, kind) = (org, record, of_kind);
  DELETE FROM search_passages_due WHERE (org_id, record_id, kind) = (org, record, of_kind);
  IF octet_length(content) > 4000 THEN
    INSERT INTO search_passages (org_id, record_id, kind, number, body, lexemes, first_line)
    WITH pieces AS MATERIALIZED (
      SELECT p.number, p.piece, substr(content, p.number * 800 + 1, 800) AS own FROM search_pieces(content) AS p
    ), counted AS (
      SELECT p.*, coalesce(sum(length(p.own) - length(replace(p.own, E'\n', ''))) OVER (ORDER BY p.number ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)::int AS before
        FROM pieces AS p
    )
    SELECT org, record, of_kind, c.number, c.piece, search_lexemes('', of_language, '', c.piece, 'DD'),
           -- The cut word in front of a piece may have ended a line.
           c.before + CASE WHEN c.number > 0 AND substring(c.own FROM '^\S*(\s)') = E'\n' THEN 1 ELSE 0 END
      FROM counted AS c;
  END IF;
END $$;
--> statement-breakpoint
DROP FUNCTION put_search_document(text, text, text, int, text, text, text);
--> statement-breakpoint
CREATE FUNCTION put_search_document(org text, record text, of_kind text, of_version int, heading text, content text, weights text,
  of_starts int[] DEFAULT NULL, of_roles text DEFAULT NULL)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  r record;
  head text := normalize(translate(coalesce(heading, ''), U&'\E000\E001', ''), NFC);
  rest text := normalize(left(translate(coalesce(content, ''), U&'\E000\E001', ''), 400000), NFC);
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
  INSERT INTO search_documents AS d
    (org_id, record_id, kind, project_id, owner_ids, version, language, body, lexemes, created_at, starts, roles)
  VALUES (org, record, of_kind, r.project_id, r.owners, of_version, r.language, whole,
          search_lexemes(search_token(org, r.language), r.language,
            -- Identifiers are found by their parts as well.
            CASE of_kind WHEN 'record' THEN head || ' ' || regexp_replace(head, '[^[:alnum:]]+', ' ', 'g') ELSE head END,
            rest, weights), r.created_at, of_starts, of_roles)
  ON CONFLICT (org_id, record_id, kind) DO UPDATE SET project_id = excluded.project_id, owner_ids = excluded.owner_ids,
    version = excluded.version, language = excluded.language, body = excluded.body, lexemes = excluded.lexemes,
    starts = excluded.starts, roles = excluded.roles;
  PERFORM put_search_passages(org, record, of_kind, r.language, whole);
END $$;
--> statement-breakpoint
-- A line for each segment, so that a place in the text tells which one it is.
CREATE OR REPLACE FUNCTION index_transcript(org text, record text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM put_search_document(org, record, 'transcript', t.version, '', said.lines, 'DD', said.starts, said.roles)
    FROM transcripts t
    LEFT JOIN analyses a ON a.org_id = t.org_id AND a.record_id = t.record_id AND a.current
   CROSS JOIN LATERAL (
     SELECT string_agg(translate(s.segment ->> 'text', E'\n\r', '  '), E'\n' ORDER BY s.n) AS lines,
            array_agg((s.segment ->> 'startMs')::int ORDER BY s.n) AS starts,
            string_agg(left(coalesce(s.segment ->> 'role', 'unknown'), 1), '' ORDER BY s.n) AS roles
       FROM jsonb_array_elements(t.segments) WITH ORDINALITY AS s(segment, n)) AS said
   WHERE t.org_id = org AND t.record_id = record
   ORDER BY coalesce(t.version = a.transcript_version, false) DESC, t.version DESC LIMIT 1;
END $$;
--> statement-breakpoint
-- What is looked for. `prefixes` are words of which only the beginning is given; in the text, `zz9p1` stands for the first of them.
-- Documents of an earlier version are found by the words as they were written.
CREATE FUNCTION search_query(language text, q text, prefixes text[]) RETURNS tsquery LANGUAGE plpgsql STABLE AS $$
DECLARE
  wanted tsquery := websearch_to_tsquery(language::regconfig, q);
  written text := search_folded(wanted::text);
BEGIN
  IF octet_length(q) > length(q) AND search_folded(q) <> q THEN
    -- Nothing is left out by only one of several spellings.
    IF written ~ '!' THEN wanted := written::tsquery;
    ELSE wanted := wanted || written::tsquery || websearch_to_tsquery(language::regconfig, search_folded(q)); END IF;
  END IF;
  IF cardinality(prefixes) = 0 THEN RETURN wanted; END IF;
  written := wanted::text;
  FOR i IN 1 .. cardinality(prefixes) LOOP
    -- Words as they are written have no places, so a phrase that named them would be found nowhere.
    written := replace(written, '''zz9p' || i || '''', CASE WHEN written ~ '<' THEN '''' || prefixes[i] || ''':*'
      ELSE '(''' || prefixes[i] || ''':* | ''=' || prefixes[i] || ''':*)' END);
  END LOOP;
  RETURN written::tsquery;
END $$;
--> statement-breakpoint
-- The same in all languages of the organization, with the token of each; null if nothing is left to look for.
CREATE FUNCTION search_wanted(org text, q text, prefixes text[]) RETURNS tsquery LANGUAGE plpgsql STABLE AS $$
DECLARE
  wanted tsquery;
  part tsquery;
  spoken text;
BEGIN
  FOR spoken IN SELECT l.language FROM search_languages l WHERE l.org_id = org LOOP
    part := search_query(spoken, q, prefixes);
    CONTINUE WHEN querytree(part) IN ('', 'T');
    part := search_prefixed(part::text, search_token(org, spoken))::tsquery;
    wanted := CASE WHEN wanted IS NULL THEN part ELSE wanted || part END;
  END LOOP;
  RETURN wanted;
END $$;
--> statement-breakpoint
-- What people said, and facts of the call, before what was written about it.
CREATE FUNCTION search_score(kind text, lexemes tsvector, wanted tsquery) RETURNS float8 LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE kind WHEN 'analysis' THEN 0 ELSE 0.5 END + ts_rank_cd(lexemes, wanted, 33) / 2
$$;
--> statement-breakpoint
-- The newest documents that match, in the organization of the scope; `score` only for the first thousand that are asked for. As
-- search_matches, which the release before still calls.
CREATE FUNCTION search_found(q text, prefixes text[], of_kind text, of_project text, projects text[], own text, row_limit int, is_ranked boolean)
RETURNS TABLE (record_id text, kind text, score float8, place bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_custom_plan SET enable_seqscan = off
SET enable_indexscan = off SET enable_indexonlyscan = off SET enable_bitmapscan = on AS $$
DECLARE
  org text := current_org_id();
  wanted tsquery := search_wanted(org, q, prefixes);
  is_frequent boolean;
BEGIN
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
      SELECT d.record_id, d.kind, CASE WHEN is_ranked THEN d.lexemes END AS lexemes, d.created_at FROM search_documents d
       WHERE d.lexemes @@ wanted
         -- Added to nothing, so that rows are found by the index of lexemes alone.
         AND CASE WHEN is_frequent THEN d.org_id = org ELSE d.org_id || '' = org END
         AND (of_kind IS NULL OR d.kind = of_kind) AND (of_project IS NULL OR d.project_id = of_project)
         AND (projects IS NULL OR d.project_id = ANY (projects)) AND (own IS NULL OR own = ANY (d.owner_ids))
       ORDER BY d.created_at DESC NULLS LAST, d.record_id DESC NULLS LAST, d.kind LIMIT row_limit
    )
    SELECT f.record_id, f.kind,
           -- Rows come as they were found, the newest first.
           CASE WHEN NOT is_ranked THEN NULL WHEN sum(pg_column_size(f.lexemes)) OVER (ROWS UNBOUNDED PRECEDING) <= 64000000
                THEN search_score(f.kind, f.lexemes, wanted) ELSE 0 END,
           row_number() OVER (ROWS UNBOUNDED PRECEDING)
      FROM found f;
END $$;
--> statement-breakpoint
GRANT CREATE ON SCHEMA public TO earshot_search;
--> statement-breakpoint
ALTER FUNCTION search_found OWNER TO earshot_search;
--> statement-breakpoint
REVOKE CREATE ON SCHEMA public FROM earshot_search;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION search_found FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION search_found TO earshot_app;
--> statement-breakpoint
-- A text with private characters around what matches: as it is written, and, where that differs, without its marks.
CREATE FUNCTION search_marked(language regconfig, body text, wanted tsquery) RETURNS text[] LANGUAGE plpgsql STABLE AS $$
DECLARE
  options text := U&'StartSel=\E000, StopSel=\E001, HighlightAll=true';
BEGIN
  IF octet_length(body) = length(body) THEN RETURN ARRAY[ts_headline(language, body, wanted, options)]; END IF;
  RETURN ARRAY[ts_headline(language, body, wanted, options), ts_headline(language, search_folded(body), wanted, options)];
END $$;
--> statement-breakpoint
-- The texts that a snippet is cut from, each with the line of the document that it begins in: a short document is one. Of a long one, the
-- passage that fits best; where that lacks words that were looked for, another one which has some of these.
CREATE FUNCTION search_parts(org text, record text, of_kind text, of_language text, short_body text, q text, prefixes text[])
RETURNS TABLE (first_line int, marked text[]) LANGUAGE plpgsql STABLE AS $$
DECLARE
  language regconfig := of_language::regconfig;
  wanted tsquery := search_query(of_language, q, prefixes);
  words text[] := ARRAY(SELECT m[1] FROM regexp_matches(querytree(wanted), '(''(?:[^'']|'''')+''(?::\*)?)', 'g') AS m);
  any_word tsquery := array_to_string(words, ' | ')::tsquery;
  best search_passages;
  other search_passages;
  lacking tsquery;
BEGIN
  SELECT p.* INTO best FROM search_passages p WHERE (p.org_id, p.record_id, p.kind) = (org, record, of_kind)
   ORDER BY p.lexemes @@ wanted DESC, ts_rank(p.lexemes, any_word) DESC, p.number LIMIT 1;
  IF NOT FOUND THEN
    RETURN QUERY SELECT 0, search_marked(language, short_body, any_word);
    RETURN;
  END IF;
  IF NOT best.lexemes @@ wanted THEN
    lacking := array_to_string(ARRAY(SELECT w FROM unnest(words) AS w WHERE NOT best.lexemes @@ w::tsquery), ' | ')::tsquery;
    SELECT p.* INTO other FROM search_passages p
     WHERE (p.org_id, p.record_id, p.kind) = (org, record, of_kind) AND p.lexemes @@ lacking
     ORDER BY ts_rank(p.lexemes, lacking) DESC, p.number LIMIT 1;
  END IF;
  RETURN QUERY SELECT p.line, search_marked(language, p.body, any_word)
    FROM (VALUES (best.number, best.first_line, best.body), (other.number, other.first_line, other.body)) AS p (number, line, body)
   WHERE p.body IS NOT NULL ORDER BY p.number;
END $$;
--> statement-breakpoint
-- Makes so many documents of the organization anew, from the newest on. Gives how many there were.
CREATE FUNCTION remake_search(row_limit int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  org text := current_org_id();
  due search_remakes;
  d record;
  done int := 0;
BEGIN
  SELECT s.* INTO due FROM search_remakes s WHERE s.org_id = org FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN 0; END IF;
  -- Whoever changes a document meanwhile waits for one of these, or makes it anew.
  FOR d IN SELECT s.record_id, s.created_at FROM search_documents s
            WHERE s.org_id = org AND s.kind = 'record' AND (s.created_at, s.record_id) < (due.created_at, due.record_id)
            ORDER BY s.created_at DESC, s.record_id DESC LIMIT row_limit LOOP
    PERFORM FROM search_documents s WHERE s.org_id = org AND s.record_id = d.record_id ORDER BY s.kind FOR UPDATE;
    PERFORM index_record(r) FROM records r WHERE r.org_id = org AND r.id = d.record_id;
    PERFORM index_transcript(org, d.record_id) WHERE EXISTS (
      SELECT FROM search_documents s WHERE s.org_id = org AND s.record_id = d.record_id AND s.kind = 'transcript');
    PERFORM index_analysis(org, a.id) FROM analyses a WHERE a.org_id = org AND a.record_id = d.record_id AND a.current;
    UPDATE search_remakes s SET created_at = d.created_at, record_id = d.record_id WHERE s.org_id = org;
    done := done + 1;
  END LOOP;
  IF done < row_limit THEN DELETE FROM search_remakes s WHERE s.org_id = org; END IF;
  RETURN done;
END $$;
--> statement-breakpoint
-- What is there already stays found as it is, and is made anew while the service runs: nothing is read or locked here but one row for
-- each organization.
DO $$
DECLARE org text;
BEGIN
  FOR org IN SELECT id FROM orgs LOOP
    PERFORM set_config('app.org_id', org, true);
    INSERT INTO search_remakes SELECT org, 'infinity', '' WHERE EXISTS (SELECT FROM search_documents d WHERE d.org_id = org);
  END LOOP;
  PERFORM set_config('app.org_id', '', true);
END $$;
