-- The lexemes of a short call stay in its row, without compression, which takes longer to undo than to look at them. Rows that are there
-- already change when they are indexed anew.
ALTER TABLE search_documents SET (toast_tuple_target = 8160);
--> statement-breakpoint
-- As before, and for less frequent words, of which a large organization has many.
CREATE OR REPLACE FUNCTION search_found(q text, prefixes text[], of_kind text, of_project text, projects text[], own text, row_limit int, is_ranked boolean)
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
  -- One after the other from the newest on, where an eighth of them match: the index would give many times what is asked for.
  SELECT count(*) >= CASE WHEN row_limit <= 4000 THEN 8 ELSE 16 END INTO is_frequent FROM (
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
