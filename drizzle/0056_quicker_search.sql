-- As before, and no way to the newest matches costs more than it has to. A look at the newest 256 documents tells how far apart matches
-- are. One document after the other reads all that lie between them: the cheapest for words that are frequent. The index of lexemes
-- gives all matches, of which only those of a recent time are read if that is likely to hold enough of them. Found documents are
-- sorted without their lexemes, which are read for those that are ranked.
CREATE OR REPLACE FUNCTION search_found(q text, prefixes text[], of_kind text, of_project text, projects text[], own text, row_limit int, is_ranked boolean)
RETURNS TABLE (record_id text, kind text, score float8, place bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_custom_plan SET enable_seqscan = off
SET enable_indexscan = off SET enable_indexonlyscan = off SET enable_bitmapscan = on AS $$
DECLARE
  org text := current_org_id();
  wanted tsquery := search_wanted(org, q, prefixes);
  matching int;
  newest timestamptz;
  span interval;
  is_frequent boolean;
  -- So many documents, the newest, are likely to hold enough matches.
  enough float8;
  since timestamptz;
  row_ids tid[];
  record_ids text[];
  kinds text[];
BEGIN
  IF wanted IS NULL THEN RETURN; END IF;

  PERFORM set_config('enable_indexscan', 'on', true), set_config('enable_bitmapscan', 'off', true);
  SELECT count(*) FILTER (WHERE d.lexemes @@ wanted AND (of_kind IS NULL OR d.kind = of_kind)
           AND (of_project IS NULL OR d.project_id = of_project) AND (projects IS NULL OR d.project_id = ANY (projects))
           AND (own IS NULL OR own = ANY (d.owner_ids))),
         max(d.created_at), max(d.created_at) - min(d.created_at)
    INTO matching, newest, span FROM (
      SELECT * FROM search_documents n WHERE n.org_id = org
       ORDER BY n.created_at DESC NULLS LAST, n.record_id DESC NULLS LAST, n.kind LIMIT 256
    ) d;
  -- An eighth, or a quarter, of the documents: then one after the other costs least.
  is_frequent := matching >= CASE WHEN row_limit <= 4000 THEN 32 ELSE 64 END;
  IF NOT is_frequent THEN
    PERFORM set_config('enable_indexscan', 'off', true), set_config('enable_bitmapscan', 'on', true);
    enough := 256 * 1.5 * row_limit / nullif(matching, 0);
  END IF;

  -- Twice, since calls do not come evenly; then all there are. To find what is recent takes longer than it saves where it is most.
  FOR attempt IN 1 .. 3 LOOP
    since := CASE WHEN attempt < 3 AND enough <= 100000 THEN newest - span * (enough / 256) END;
    SELECT array_agg(f.row_id), array_agg(f.record_id), array_agg(f.kind) INTO row_ids, record_ids, kinds FROM (
      SELECT d.ctid AS row_id, d.record_id, d.kind FROM search_documents d
       WHERE d.lexemes @@ wanted
         -- Added to nothing, so that rows are found by the index of lexemes alone.
         AND CASE WHEN is_frequent THEN d.org_id = org
                  WHEN since IS NOT NULL THEN d.org_id = org AND d.created_at >= since
                  ELSE d.org_id || '' = org END
         AND (of_kind IS NULL OR d.kind = of_kind) AND (of_project IS NULL OR d.project_id = of_project)
         AND (projects IS NULL OR d.project_id = ANY (projects)) AND (own IS NULL OR own = ANY (d.owner_ids))
       ORDER BY d.created_at DESC NULLS LAST, d.record_id DESC NULLS LAST, d.kind LIMIT row_limit) f;
    EXIT WHEN since IS NULL OR cardinality(row_ids) = row_limit;
    enough := enough * 1.5 * row_limit / cardinality(row_ids);
  END LOOP;

  RETURN QUERY
    SELECT f.record_id, f.kind,
           CASE WHEN NOT is_ranked THEN NULL
                WHEN sum(pg_column_size(d.lexemes)) OVER (ORDER BY f.place ROWS UNBOUNDED PRECEDING) <= 64000000
                THEN search_score(f.kind, d.lexemes, wanted) ELSE 0 END,
           f.place
      FROM unnest(row_ids, record_ids, kinds) WITH ORDINALITY AS f (row_id, record_id, kind, place)
      LEFT JOIN search_documents d ON is_ranked AND d.ctid = f.row_id;
END $$;
