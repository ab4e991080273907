CREATE TABLE "search_documents" (
	"org_id" text NOT NULL,
	"record_id" text NOT NULL,
	"kind" text NOT NULL,
	"project_id" text NOT NULL,
	"owner_ids" text[] NOT NULL,
	"version" integer,
	"language" text NOT NULL,
	"body" text NOT NULL,
	"lexemes" "tsvector" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "search_documents_org_id_record_id_kind_pk" PRIMARY KEY("org_id","record_id","kind")
);
--> statement-breakpoint
CREATE TABLE "search_languages" (
	"org_id" text NOT NULL,
	"language" text NOT NULL,
	CONSTRAINT "search_languages_org_id_language_pk" PRIMARY KEY("org_id","language")
);
--> statement-breakpoint
ALTER TABLE "search_documents" ADD CONSTRAINT "search_documents_org_id_record_id_records_org_id_id_fk" FOREIGN KEY ("org_id","record_id") REFERENCES "public"."records"("org_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "search_documents_lexemes" ON "search_documents" USING gin ("lexemes") WITH (gin_pending_list_limit=1024);--> statement-breakpoint
SELECT protect_tenant_table(t::regclass) FROM unnest(ARRAY['search_documents', 'search_languages']) AS t;
--> statement-breakpoint
-- BCP 47 tag → text search configuration, of those that every supported Postgres brings.
CREATE FUNCTION search_language(tag text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE lower(split_part(tag, '-', 1))
    WHEN 'ar' THEN 'arabic' WHEN 'hy' THEN 'armenian' WHEN 'eu' THEN 'basque' WHEN 'ca' THEN 'catalan'
    WHEN 'da' THEN 'danish' WHEN 'nl' THEN 'dutch' WHEN 'en' THEN 'english' WHEN 'fi' THEN 'finnish'
    WHEN 'fr' THEN 'french' WHEN 'de' THEN 'german' WHEN 'el' THEN 'greek' WHEN 'hi' THEN 'hindi'
    WHEN 'hu' THEN 'hungarian' WHEN 'id' THEN 'indonesian' WHEN 'ga' THEN 'irish' WHEN 'it' THEN 'italian'
    WHEN 'lt' THEN 'lithuanian' WHEN 'ne' THEN 'nepali' WHEN 'no' THEN 'norwegian' WHEN 'nb' THEN 'norwegian'
    WHEN 'nn' THEN 'norwegian' WHEN 'pt' THEN 'portuguese' WHEN 'ro' THEN 'romanian' WHEN 'ru' THEN 'russian'
    WHEN 'sr' THEN 'serbian' WHEN 'es' THEN 'spanish' WHEN 'sv' THEN 'swedish' WHEN 'ta' THEN 'tamil'
    WHEN 'tr' THEN 'turkish' WHEN 'yi' THEN 'yiddish' ELSE 'simple' END
$$;
--> statement-breakpoint
-- What every lexeme of an organization and language begins with, so that the lists of the index hold nobody else's rows.
-- Two organizations with the same token would be slower, never mixed: rows are held against the organization as well.
CREATE FUNCTION search_token(org text, language text) RETURNS text LANGUAGE sql IMMUTABLE
  AS $$ SELECT left(md5(org || ' ' || language), 6) $$;
--> statement-breakpoint
-- Of the text of a tsvector or tsquery, in which every lexeme is quoted and quotes inside are doubled.
CREATE FUNCTION search_prefixed(lexemes text, token text) RETURNS text LANGUAGE sql IMMUTABLE
  AS $$ SELECT regexp_replace(lexemes, '''((?:[^'']|'''')+)''', '''' || token || '\1''', 'g') $$;
--> statement-breakpoint
-- A text can have more different words than a tsvector takes: then only its beginning is found. Words without end are left out.
CREATE FUNCTION search_lexemes(token text, language text, heading text, content text, weights text) RETURNS tsvector
LANGUAGE plpgsql STABLE AS $$
DECLARE
  head text := regexp_replace(heading, '\S{200,}', ' ', 'g');
  rest text := regexp_replace(content, '\S{200,}', ' ', 'g');
BEGIN
  LOOP
    BEGIN
      RETURN search_prefixed((setweight(to_tsvector(language::regconfig, head), left(weights, 1)::"char")
        || setweight(to_tsvector(language::regconfig, rest), right(weights, 1)::"char"))::text, token)::tsvector;
    EXCEPTION WHEN program_limit_exceeded THEN
      head := left(head, length(head) / 2);
      rest := left(rest, length(rest) / 2);
    END;
  END LOOP;
END $$;
--> statement-breakpoint
-- Masks the number however it is grouped, with or without its country. What is too short to be told from other numbers stays.
CREATE FUNCTION mask_number(body text, phone text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  digits text := regexp_replace(coalesce(phone, ''), '\D', '', 'g');
  tail text := right(digits, 9);
  separator text := '[ ().\-]{0,2}';
BEGIN
  IF length(digits) < 5 OR strpos(regexp_replace(body, '\D', '', 'g'), tail) = 0 THEN RETURN body; END IF;
  RETURN regexp_replace(body, '\+?[0-9]{0,4}' || separator || array_to_string(string_to_array(tail, NULL), separator),
    CASE WHEN phone LIKE '+%' AND length(digits) > 6 THEN '+' || left(digits, 1) ELSE '' END
    || '******' || CASE WHEN length(digits) > 6 THEN right(digits, 4) ELSE '' END, 'g');
END $$;
--> statement-breakpoint
CREATE FUNCTION put_search_document(org text, record text, of_kind text, of_version int, heading text, content text, weights text)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  r record;
  head text := translate(coalesce(heading, ''), U&'\E000\E001', '');
  rest text := left(translate(coalesce(content, ''), U&'\E000\E001', ''), 400000);
BEGIN
  SELECT c.project_id, c.customer_phone, c.created_at, array_remove(ARRAY[c.uploaded_by, c.agent_user_id], NULL) AS owners,
         search_language(p.language) AS language
    INTO r FROM records c JOIN projects p ON p.org_id = c.org_id AND p.id = c.project_id WHERE c.org_id = org AND c.id = record;
  IF NOT FOUND THEN RETURN; END IF;
  head := mask_number(head, r.customer_phone);
  rest := mask_number(rest, r.customer_phone);
  INSERT INTO search_languages VALUES (org, r.language) ON CONFLICT DO NOTHING;
  INSERT INTO search_documents AS d (org_id, record_id, kind, project_id, owner_ids, version, language, body, lexemes, created_at)
  VALUES (org, record, of_kind, r.project_id, r.owners, of_version, r.language, concat_ws(' · ', nullif(head, ''), nullif(rest, '')),
          search_lexemes(search_token(org, r.language), r.language,
            -- Identifiers are found by their parts as well.
            CASE of_kind WHEN 'record' THEN head || ' ' || regexp_replace(head, '[^[:alnum:]]+', ' ', 'g') ELSE head END,
            rest, weights), r.created_at)
  ON CONFLICT (org_id, record_id, kind) DO UPDATE SET project_id = excluded.project_id, owner_ids = excluded.owner_ids,
    version = excluded.version, language = excluded.language, body = excluded.body, lexemes = excluded.lexemes;
END $$;
--> statement-breakpoint
CREATE FUNCTION index_record(r records) RETURNS void LANGUAGE sql AS $$
  SELECT put_search_document(r.org_id, r.id, 'record', NULL, concat_ws(' · ', r.agent_name, r.external_id, r.file_name),
    (SELECT string_agg(value #>> '{}', ' · ') FROM jsonb_path_query(r.metadata, 'strict $.**') AS value
      WHERE jsonb_typeof(value) IN ('string', 'number')), 'AC')
$$;
--> statement-breakpoint
-- The version that the record shows: of its current analysis, else the latest.
CREATE FUNCTION index_transcript(org text, record text) RETURNS void LANGUAGE sql AS $$
  SELECT put_search_document(org, record, 'transcript', t.version, '',
    (SELECT string_agg(s.segment ->> 'text', ' ' ORDER BY s.n) FROM jsonb_array_elements(t.segments) WITH ORDINALITY AS s(segment, n)),
    'DD')
    FROM transcripts t
    LEFT JOIN analyses a ON a.org_id = t.org_id AND a.record_id = t.record_id AND a.current
   WHERE t.org_id = org AND t.record_id = record
   ORDER BY coalesce(t.version = a.transcript_version, false) DESC, t.version DESC LIMIT 1
$$;
--> statement-breakpoint
CREATE FUNCTION index_analysis(org text, analysis text) RETURNS void LANGUAGE sql AS $$
  SELECT put_search_document(a.org_id, a.record_id, 'analysis', a.version, a.summary, concat_ws(' ',
    (SELECT string_agg(value, ', ') FROM jsonb_array_elements_text(a.topics)),
    (SELECT string_agg(value, ' ') FROM jsonb_array_elements_text(a.improvements)),
    (SELECT string_agg(value, ' ') FROM jsonb_array_elements_text(a.action_items)),
    (SELECT string_agg(concat_ws(': ', f ->> 'title', f ->> 'rationale'), ' ') FROM jsonb_array_elements(a.compliance_findings) AS f
      WHERE f ->> 'answer' IN ('fail', 'partial', 'needs_review')),
    v.comment), 'BC')
    FROM analyses a LEFT JOIN reviews v ON v.org_id = a.org_id AND v.analysis_id = a.id
   WHERE a.org_id = org AND a.id = analysis AND a.current
$$;
--> statement-breakpoint
CREATE FUNCTION keep_searchable() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_TABLE_NAME
    WHEN 'records' THEN
      PERFORM index_record(NEW);
      IF TG_OP = 'UPDATE' THEN
        UPDATE search_documents SET owner_ids = array_remove(ARRAY[NEW.uploaded_by, NEW.agent_user_id], NULL)
         WHERE org_id = NEW.org_id AND record_id = NEW.id AND kind <> 'record'
           AND owner_ids <> array_remove(ARRAY[NEW.uploaded_by, NEW.agent_user_id], NULL);
      END IF;
    WHEN 'transcripts' THEN
      PERFORM index_transcript(NEW.org_id, NEW.record_id);
    WHEN 'analyses' THEN
      PERFORM index_analysis(NEW.org_id, NEW.id);
      IF NEW.transcript_version IS DISTINCT FROM (SELECT d.version FROM search_documents d
           WHERE d.org_id = NEW.org_id AND d.record_id = NEW.record_id AND d.kind = 'transcript') THEN
        PERFORM index_transcript(NEW.org_id, NEW.record_id);
      END IF;
    WHEN 'reviews' THEN
      PERFORM index_analysis(NEW.org_id, NEW.analysis_id);
  END CASE;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER records_search_insert AFTER INSERT ON records FOR EACH ROW EXECUTE FUNCTION keep_searchable();
--> statement-breakpoint
CREATE TRIGGER records_search_update
  AFTER UPDATE OF agent_name, external_id, file_name, metadata, customer_phone, uploaded_by, agent_user_id ON records FOR EACH ROW
  WHEN ((OLD.agent_name, OLD.external_id, OLD.file_name, OLD.metadata, OLD.customer_phone, OLD.uploaded_by, OLD.agent_user_id)
    IS DISTINCT FROM (NEW.agent_name, NEW.external_id, NEW.file_name, NEW.metadata, NEW.customer_phone, NEW.uploaded_by, NEW.agent_user_id))
  EXECUTE FUNCTION keep_searchable();
--> statement-breakpoint
CREATE TRIGGER transcripts_search AFTER INSERT OR UPDATE OF segments ON transcripts FOR EACH ROW EXECUTE FUNCTION keep_searchable();
--> statement-breakpoint
CREATE TRIGGER analyses_search
  AFTER INSERT OR UPDATE OF current, summary, improvements, topics, action_items, compliance_findings, transcript_version ON analyses
  FOR EACH ROW WHEN (NEW.current) EXECUTE FUNCTION keep_searchable();
--> statement-breakpoint
CREATE TRIGGER reviews_search AFTER INSERT OR UPDATE OF comment ON reviews FOR EACH ROW EXECUTE FUNCTION keep_searchable();
--> statement-breakpoint
-- `@@` is not leakproof, so under a policy Postgres may not ask the index for it. This role reads the documents without one,
-- inside a single function that holds every row against the organization of the scope.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'earshot_search') THEN
    BEGIN CREATE ROLE earshot_search NOLOGIN NOBYPASSRLS; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END;
  END IF;
  IF NOT pg_has_role(current_user, 'earshot_search', 'MEMBER') THEN GRANT earshot_search TO CURRENT_USER; END IF;
END $$;
--> statement-breakpoint
CREATE POLICY search_read ON search_documents FOR SELECT TO earshot_search USING (true);
--> statement-breakpoint
CREATE POLICY search_read ON search_languages FOR SELECT TO earshot_search USING (true);
--> statement-breakpoint
GRANT SELECT ON search_documents, search_languages TO earshot_search;
--> statement-breakpoint
-- The best of the newest thousand documents that match, in the organization of the scope. `total` stops at a thousand.
-- `projects` and `own` are what the actor may see; null means everything. Nothing matches what names no word to look for.
CREATE FUNCTION search_matches(q text, of_kind text, of_project text, projects text[], own text, row_limit int)
RETURNS TABLE (record_id text, kind text, score float8, total int, place bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_custom_plan SET enable_seqscan = off AS $$
DECLARE
  org text := current_org_id();
  wanted tsquery;
  part tsquery;
  spoken text;
BEGIN
  FOR spoken IN SELECT l.language FROM search_languages l WHERE l.org_id = org LOOP
    part := websearch_to_tsquery(spoken::regconfig, q);
    CONTINUE WHEN querytree(part) IN ('', 'T');
    part := search_prefixed(part::text, search_token(org, spoken))::tsquery;
    wanted := CASE WHEN wanted IS NULL THEN part ELSE wanted || part END;
  END LOOP;
  IF wanted IS NULL THEN RETURN; END IF;
  RETURN QUERY
    WITH found AS MATERIALIZED (
      SELECT d.record_id, d.kind, d.lexemes, d.created_at FROM search_documents d
       -- Added to nothing, so that rows are found by the index of lexemes alone.
       WHERE d.lexemes @@ wanted AND d.org_id || '' = org
         AND (of_kind IS NULL OR d.kind = of_kind) AND (of_project IS NULL OR d.project_id = of_project)
         AND (projects IS NULL OR d.project_id = ANY (projects)) AND (own IS NULL OR own = ANY (d.owner_ids))
       ORDER BY d.created_at DESC, d.record_id DESC, d.kind LIMIT 1000
    ), ranked AS (
      SELECT f.record_id, f.kind, f.created_at, ts_rank_cd(f.lexemes, wanted, 33)::float8 AS score, count(*) OVER ()::int AS total FROM found f
    )
    SELECT r.record_id, r.kind, r.score, r.total, row_number() OVER w FROM ranked r
    WINDOW w AS (ORDER BY r.score DESC, r.created_at DESC, r.record_id DESC, r.kind)
     ORDER BY 5 LIMIT row_limit;
END $$;
--> statement-breakpoint
GRANT CREATE ON SCHEMA public TO earshot_search;
--> statement-breakpoint
ALTER FUNCTION search_matches OWNER TO earshot_search;
--> statement-breakpoint
REVOKE CREATE ON SCHEMA public FROM earshot_search;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION search_matches FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION search_matches TO earshot_app;
--> statement-breakpoint
-- What is there already.
DO $$
DECLARE org text;
BEGIN
  FOR org IN SELECT id FROM orgs LOOP
    PERFORM set_config('app.org_id', org, true);
    PERFORM index_record(r) FROM records r WHERE r.org_id = org;
    PERFORM index_transcript(org, t.record_id) FROM transcripts t WHERE t.org_id = org GROUP BY t.record_id;
    PERFORM index_analysis(org, a.id) FROM analyses a WHERE a.org_id = org AND a.current;
  END LOOP;
  PERFORM set_config('app.org_id', '', true);
END $$;
