-- One row a project and day, so that a change of status touches one row only and two changes cannot deadlock;
-- statements that touch many rows lock them in the order of the key.
CREATE FUNCTION apply_record_day_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO record_days AS d (org_id, project_id, day, pending, processing, completed, failed, duration_sum, duration_count, score_sum, score_count)
    SELECT org_id, project_id, (created_at AT TIME ZONE 'UTC')::date AS day,
           count(*) FILTER (WHERE status = 'pending'), count(*) FILTER (WHERE status = 'processing'),
           count(*) FILTER (WHERE status = 'completed'), count(*) FILTER (WHERE status = 'failed'),
           coalesce(sum(duration_seconds) FILTER (WHERE status = 'completed'), 0), count(duration_seconds) FILTER (WHERE status = 'completed'),
           coalesce(sum(quality_score) FILTER (WHERE status = 'completed'), 0), count(quality_score) FILTER (WHERE status = 'completed')
      FROM new_rows GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (org_id, project_id, day) DO UPDATE SET
      pending = d.pending + excluded.pending, processing = d.processing + excluded.processing,
      completed = d.completed + excluded.completed, failed = d.failed + excluded.failed,
      duration_sum = d.duration_sum + excluded.duration_sum, duration_count = d.duration_count + excluded.duration_count,
      score_sum = d.score_sum + excluded.score_sum, score_count = d.score_count + excluded.score_count;
    RETURN NULL;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    WITH changes AS (
      SELECT n.org_id, n.project_id, (n.created_at AT TIME ZONE 'UTC')::date AS day, n.status, n.duration_seconds, n.quality_score, 1 AS sign
        FROM new_rows n JOIN old_rows o USING (org_id, id)
       WHERE (o.project_id, o.created_at, o.status, o.duration_seconds, o.quality_score)
             IS DISTINCT FROM (n.project_id, n.created_at, n.status, n.duration_seconds, n.quality_score)
      UNION ALL
      SELECT o.org_id, o.project_id, (o.created_at AT TIME ZONE 'UTC')::date, o.status, o.duration_seconds, o.quality_score, -1
        FROM new_rows n JOIN old_rows o USING (org_id, id)
       WHERE (o.project_id, o.created_at, o.status, o.duration_seconds, o.quality_score)
             IS DISTINCT FROM (n.project_id, n.created_at, n.status, n.duration_seconds, n.quality_score)
    )
    INSERT INTO record_days AS d (org_id, project_id, day, pending, processing, completed, failed, duration_sum, duration_count, score_sum, score_count)
    SELECT org_id, project_id, day,
           coalesce(sum(sign) FILTER (WHERE status = 'pending'), 0), coalesce(sum(sign) FILTER (WHERE status = 'processing'), 0),
           coalesce(sum(sign) FILTER (WHERE status = 'completed'), 0), coalesce(sum(sign) FILTER (WHERE status = 'failed'), 0),
           coalesce(sum(sign * duration_seconds) FILTER (WHERE status = 'completed'), 0),
           coalesce(sum(sign) FILTER (WHERE status = 'completed' AND duration_seconds IS NOT NULL), 0),
           coalesce(sum(sign * quality_score) FILTER (WHERE status = 'completed'), 0),
           coalesce(sum(sign) FILTER (WHERE status = 'completed' AND quality_score IS NOT NULL), 0)
      FROM changes GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (org_id, project_id, day) DO UPDATE SET
      pending = d.pending + excluded.pending, processing = d.processing + excluded.processing,
      completed = d.completed + excluded.completed, failed = d.failed + excluded.failed,
      duration_sum = d.duration_sum + excluded.duration_sum, duration_count = d.duration_count + excluded.duration_count,
      score_sum = d.score_sum + excluded.score_sum, score_count = d.score_count + excluded.score_count;
    RETURN NULL;
  END IF;
  UPDATE record_days d SET
      pending = d.pending - o.pending, processing = d.processing - o.processing,
      completed = d.completed - o.completed, failed = d.failed - o.failed,
      duration_sum = d.duration_sum - o.duration_sum, duration_count = d.duration_count - o.duration_count,
      score_sum = d.score_sum - o.score_sum, score_count = d.score_count - o.score_count
    FROM (
      SELECT org_id, project_id, (created_at AT TIME ZONE 'UTC')::date AS day,
             count(*) FILTER (WHERE status = 'pending') AS pending, count(*) FILTER (WHERE status = 'processing') AS processing,
             count(*) FILTER (WHERE status = 'completed') AS completed, count(*) FILTER (WHERE status = 'failed') AS failed,
             coalesce(sum(duration_seconds) FILTER (WHERE status = 'completed'), 0) AS duration_sum,
             count(duration_seconds) FILTER (WHERE status = 'completed') AS duration_count,
             coalesce(sum(quality_score) FILTER (WHERE status = 'completed'), 0) AS score_sum,
             count(quality_score) FILTER (WHERE status = 'completed') AS score_count
        FROM old_rows GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ) o
   WHERE (d.org_id, d.project_id, d.day) = (o.org_id, o.project_id, o.day);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER record_days_insert AFTER INSERT ON records REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION apply_record_day_changes();
--> statement-breakpoint
CREATE TRIGGER record_days_update AFTER UPDATE ON records REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION apply_record_day_changes();
--> statement-breakpoint
CREATE TRIGGER record_days_delete AFTER DELETE ON records REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION apply_record_day_changes();
--> statement-breakpoint
-- Small and often rewritten: room on each page keeps the updates inside it.
ALTER TABLE record_days SET (fillfactor = 50);
