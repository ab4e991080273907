DROP INDEX "analyses_score_desc";--> statement-breakpoint
CREATE INDEX "records_agent_name" ON "records" USING btree ("org_id","agent_name","id");--> statement-breakpoint
CREATE INDEX "search_documents_newest" ON "search_documents" USING btree ("org_id","created_at" DESC NULLS LAST,"record_id" DESC NULLS LAST,"kind");--> statement-breakpoint
CREATE INDEX "analyses_score_desc" ON "analyses" USING btree ("org_id","shown_quality_score" DESC NULLS LAST,"id" DESC NULLS LAST,"current");
--> statement-breakpoint
-- A word that many documents have is looked for in the newest ones, one after the other, until a thousand are found; anything
-- else in the index of lexemes. Which of the two it is, the newest few tell.
CREATE OR REPLACE FUNCTION search_matches(q text, of_kind text, of_project text, projects text[], own text, row_limit int)
RETURNS TABLE (record_id text, kind text, score float8, total int, place bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_custom_plan SET enable_seqscan = off
-- Long texts and their lexemes lie beside the table, which estimates do not count: a scan by the primary key looks cheap, and
-- reads every text. Only bitmaps are let in, and of these only the index of lexemes has one.
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
      SELECT f.record_id, f.kind, f.created_at, ts_rank_cd(f.lexemes, wanted, 33)::float8 AS score, count(*) OVER ()::int AS total FROM found f
    )
    SELECT r.record_id, r.kind, r.score, r.total, row_number() OVER w FROM ranked r
    WINDOW w AS (ORDER BY r.score DESC, r.created_at DESC, r.record_id DESC, r.kind)
     ORDER BY 5 LIMIT row_limit;
END $$;
