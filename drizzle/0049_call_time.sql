-- What migrations before this one have left to be counted is counted now: tables cannot be altered while it waits.
SET CONSTRAINTS ALL IMMEDIATE;
--> statement-breakpoint
SET CONSTRAINTS ALL DEFERRED;
--> statement-breakpoint
DROP INDEX "records_compliance_created";
--> statement-breakpoint
DROP INDEX "records_reviewed_created";
--> statement-breakpoint
DROP INDEX "records_awaiting_created";
--> statement-breakpoint
DROP INDEX "records_created";
--> statement-breakpoint
DROP INDEX "records_project_created";
--> statement-breakpoint
DROP INDEX "records_status_created";
--> statement-breakpoint
DROP INDEX "records_unreviewed_score";
--> statement-breakpoint
-- Whoever counts comes after the column is filled: here nothing is counted twice, and the counters are made anew below.
ALTER TABLE analyses DISABLE TRIGGER USER;
--> statement-breakpoint
ALTER TABLE "records" ADD COLUMN "call_at" timestamp (3) with time zone GENERATED ALWAYS AS (coalesce(started_at, created_at)) STORED NOT NULL;
--> statement-breakpoint
CREATE INDEX "records_call" ON "records" USING btree ("org_id","call_at","id");
--> statement-breakpoint
CREATE INDEX "records_project_call" ON "records" USING btree ("org_id","project_id","call_at","id");
--> statement-breakpoint
CREATE INDEX "records_status_call" ON "records" USING btree ("org_id","status","call_at","id");
--> statement-breakpoint
CREATE INDEX "records_compliance_call" ON "records" USING btree ("org_id","compliance_status","call_at","id");
--> statement-breakpoint
CREATE INDEX "records_reviewed_call" ON "records" USING btree ("org_id","reviewed","call_at","id");
--> statement-breakpoint
CREATE INDEX "records_awaiting_call" ON "records" USING btree ("org_id","awaits_review","call_at","id");
--> statement-breakpoint
CREATE INDEX "records_created" ON "records" USING btree ("org_id","created_at","id","call_at");
--> statement-breakpoint
CREATE INDEX "records_project_created" ON "records" USING btree ("org_id","project_id","created_at","id","call_at");
--> statement-breakpoint
CREATE INDEX "records_status_created" ON "records" USING btree ("org_id","status","created_at","id","call_at");
--> statement-breakpoint
CREATE INDEX "records_unreviewed_score" ON "records" USING btree ("org_id","quality_score","call_at","project_id") WHERE status = 'completed' and not reviewed and quality_score is not null;
--> statement-breakpoint
-- The time of an analysis in statistics is that of its call. The column keeps its name: processes of the release before know it.
UPDATE analyses a SET record_created_at = r.call_at
  FROM records r WHERE (r.org_id, r.id) = (a.org_id, a.record_id) AND a.record_created_at <> r.call_at;
--> statement-breakpoint
ALTER TABLE analyses ENABLE TRIGGER USER;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION set_record_created_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT r.call_at INTO NEW.record_created_at FROM records r WHERE (r.org_id, r.id) = (NEW.org_id, NEW.record_id);
  NEW.record_created_at = coalesce(NEW.record_created_at, now());
  RETURN NEW;
END $$;
--> statement-breakpoint
-- A call that is moved to another time takes its analyses along, and they what they count for.
CREATE FUNCTION move_analyses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE analyses SET record_created_at = NEW.call_at WHERE (org_id, record_id) = (NEW.org_id, NEW.id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER records_call_moved AFTER UPDATE ON records FOR EACH ROW
  WHEN (OLD.call_at IS DISTINCT FROM NEW.call_at) EXECUTE FUNCTION move_analyses();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION apply_record_day_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO record_days AS d (org_id, project_id, day, pending, processing, completed, failed, duration_sum, duration_count, score_sum,
                                  score_count, share_sum, share_count, awaiting)
    SELECT org_id, project_id, (call_at AT TIME ZONE 'UTC')::date AS day,
           count(*) FILTER (WHERE status = 'pending'), count(*) FILTER (WHERE status = 'processing'),
           count(*) FILTER (WHERE status = 'completed'), count(*) FILTER (WHERE status = 'failed'),
           coalesce(sum(duration_seconds) FILTER (WHERE status = 'completed'), 0), count(duration_seconds) FILTER (WHERE status = 'completed'),
           coalesce(sum(quality_score) FILTER (WHERE status = 'completed'), 0), count(quality_score) FILTER (WHERE status = 'completed'),
           coalesce(sum(round(judged_share * 1000)) FILTER (WHERE status = 'completed'), 0)::bigint,
           count(judged_share) FILTER (WHERE status = 'completed'), count(*) FILTER (WHERE awaits_review)
      FROM new_rows GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (org_id, project_id, day) DO UPDATE SET
      pending = d.pending + excluded.pending, processing = d.processing + excluded.processing,
      completed = d.completed + excluded.completed, failed = d.failed + excluded.failed,
      duration_sum = d.duration_sum + excluded.duration_sum, duration_count = d.duration_count + excluded.duration_count,
      score_sum = d.score_sum + excluded.score_sum, score_count = d.score_count + excluded.score_count,
      share_sum = d.share_sum + excluded.share_sum, share_count = d.share_count + excluded.share_count,
      awaiting = d.awaiting + excluded.awaiting;
    RETURN NULL;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    WITH changes AS (
      SELECT n.org_id, n.project_id, (n.call_at AT TIME ZONE 'UTC')::date AS day, n.status, n.duration_seconds, n.quality_score,
             n.judged_share, n.awaits_review, 1 AS sign
        FROM new_rows n JOIN old_rows o USING (org_id, id)
       WHERE (o.project_id, o.call_at, o.status, o.duration_seconds, o.quality_score, o.judged_share, o.awaits_review)
             IS DISTINCT FROM (n.project_id, n.call_at, n.status, n.duration_seconds, n.quality_score, n.judged_share, n.awaits_review)
      UNION ALL
      SELECT o.org_id, o.project_id, (o.call_at AT TIME ZONE 'UTC')::date, o.status, o.duration_seconds, o.quality_score,
             o.judged_share, o.awaits_review, -1
        FROM new_rows n JOIN old_rows o USING (org_id, id)
       WHERE (o.project_id, o.call_at, o.status, o.duration_seconds, o.quality_score, o.judged_share, o.awaits_review)
             IS DISTINCT FROM (n.project_id, n.call_at, n.status, n.duration_seconds, n.quality_score, n.judged_share, n.awaits_review)
    )
    INSERT INTO record_days AS d (org_id, project_id, day, pending, processing, completed, failed, duration_sum, duration_count, score_sum,
                                  score_count, share_sum, share_count, awaiting)
    SELECT org_id, project_id, day,
           coalesce(sum(sign) FILTER (WHERE status = 'pending'), 0), coalesce(sum(sign) FILTER (WHERE status = 'processing'), 0),
           coalesce(sum(sign) FILTER (WHERE status = 'completed'), 0), coalesce(sum(sign) FILTER (WHERE status = 'failed'), 0),
           coalesce(sum(sign * duration_seconds) FILTER (WHERE status = 'completed'), 0),
           coalesce(sum(sign) FILTER (WHERE status = 'completed' AND duration_seconds IS NOT NULL), 0),
           coalesce(sum(sign * quality_score) FILTER (WHERE status = 'completed'), 0),
           coalesce(sum(sign) FILTER (WHERE status = 'completed' AND quality_score IS NOT NULL), 0),
           coalesce(sum(sign * round(judged_share * 1000)) FILTER (WHERE status = 'completed'), 0)::bigint,
           coalesce(sum(sign) FILTER (WHERE status = 'completed' AND judged_share IS NOT NULL), 0),
           coalesce(sum(sign) FILTER (WHERE awaits_review), 0)
      FROM changes GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (org_id, project_id, day) DO UPDATE SET
      pending = d.pending + excluded.pending, processing = d.processing + excluded.processing,
      completed = d.completed + excluded.completed, failed = d.failed + excluded.failed,
      duration_sum = d.duration_sum + excluded.duration_sum, duration_count = d.duration_count + excluded.duration_count,
      score_sum = d.score_sum + excluded.score_sum, score_count = d.score_count + excluded.score_count,
      share_sum = d.share_sum + excluded.share_sum, share_count = d.share_count + excluded.share_count,
      awaiting = d.awaiting + excluded.awaiting;
    RETURN NULL;
  END IF;
  UPDATE record_days d SET
      pending = d.pending - o.pending, processing = d.processing - o.processing,
      completed = d.completed - o.completed, failed = d.failed - o.failed,
      duration_sum = d.duration_sum - o.duration_sum, duration_count = d.duration_count - o.duration_count,
      score_sum = d.score_sum - o.score_sum, score_count = d.score_count - o.score_count,
      share_sum = d.share_sum - o.share_sum, share_count = d.share_count - o.share_count, awaiting = d.awaiting - o.awaiting
    FROM (
      SELECT org_id, project_id, (call_at AT TIME ZONE 'UTC')::date AS day,
             count(*) FILTER (WHERE status = 'pending') AS pending, count(*) FILTER (WHERE status = 'processing') AS processing,
             count(*) FILTER (WHERE status = 'completed') AS completed, count(*) FILTER (WHERE status = 'failed') AS failed,
             coalesce(sum(duration_seconds) FILTER (WHERE status = 'completed'), 0) AS duration_sum,
             count(duration_seconds) FILTER (WHERE status = 'completed') AS duration_count,
             coalesce(sum(quality_score) FILTER (WHERE status = 'completed'), 0) AS score_sum,
             count(quality_score) FILTER (WHERE status = 'completed') AS score_count,
             coalesce(sum(round(judged_share * 1000)) FILTER (WHERE status = 'completed'), 0)::bigint AS share_sum,
             count(judged_share) FILTER (WHERE status = 'completed') AS share_count,
             count(*) FILTER (WHERE awaits_review) AS awaiting
        FROM old_rows GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ) o
   WHERE (d.org_id, d.project_id, d.day) = (o.org_id, o.project_id, o.day);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION record_counts(r records, sign integer) RETURNS SETOF overview_counts LANGUAGE sql STABLE AS $$
  SELECT r.org_id, 0::smallint, v.kind, date_bin('30 minutes', r.call_at, '2000-01-01 00:00+00'), r.project_id, v.key, v.ref,
         sign, (r.status = 'completed')::int * sign, (r.status = 'failed')::int * sign,
         CASE WHEN r.status = 'completed' THEN coalesce(r.quality_score, 0) * sign ELSE 0 END::bigint,
         (r.status = 'completed' AND r.quality_score IS NOT NULL)::int * sign,
         CASE WHEN r.status = 'completed' THEN coalesce(r.duration_seconds, 0) * sign ELSE 0 END::bigint,
         (r.status = 'completed' AND r.duration_seconds IS NOT NULL)::int * sign,
         (r.status = 'completed' AND r.compliance_status IS NOT DISTINCT FROM 'passed')::int * sign,
         (r.status = 'completed' AND r.compliance_status IS NOT DISTINCT FROM 'failed')::int * sign,
         (r.status = 'completed' AND r.reviewed)::int * sign,
         CASE WHEN r.status = 'completed' THEN coalesce(round(r.judged_share * 1000), 0) * sign ELSE 0 END::bigint,
         (r.status = 'completed' AND r.judged_share IS NOT NULL)::int * sign,
         r.awaits_review::int * sign
    FROM (VALUES ('call', '', ''), ('agent', r.agent_name, coalesce(r.agent_user_id, ''))) v(kind, key, ref)
   WHERE v.key IS NOT NULL
$$;
--> statement-breakpoint
DROP TRIGGER overview_record_changed ON records;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER overview_record_changed AFTER UPDATE ON records DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN ((OLD.status, OLD.quality_score, OLD.judged_share, OLD.compliance_status, OLD.duration_seconds, OLD.reviewed,
                      OLD.agent_name, OLD.agent_user_id, OLD.project_id, OLD.call_at) IS DISTINCT FROM
                     (NEW.status, NEW.quality_score, NEW.judged_share, NEW.compliance_status, NEW.duration_seconds, NEW.reviewed,
                      NEW.agent_name, NEW.agent_user_id, NEW.project_id, NEW.call_at))
  EXECUTE FUNCTION count_record();
--> statement-breakpoint
TRUNCATE record_days, overview_counts;
--> statement-breakpoint
INSERT INTO record_days (org_id, project_id, day, pending, processing, completed, failed, duration_sum, duration_count, score_sum,
                         score_count, share_sum, share_count, awaiting)
SELECT org_id, project_id, (call_at AT TIME ZONE 'UTC')::date AS day,
       count(*) FILTER (WHERE status = 'pending'), count(*) FILTER (WHERE status = 'processing'),
       count(*) FILTER (WHERE status = 'completed'), count(*) FILTER (WHERE status = 'failed'),
       coalesce(sum(duration_seconds) FILTER (WHERE status = 'completed'), 0), count(duration_seconds) FILTER (WHERE status = 'completed'),
       coalesce(sum(quality_score) FILTER (WHERE status = 'completed'), 0), count(quality_score) FILTER (WHERE status = 'completed'),
       coalesce(sum(round(judged_share * 1000)) FILTER (WHERE status = 'completed'), 0)::bigint,
       count(judged_share) FILTER (WHERE status = 'completed'), count(*) FILTER (WHERE awaits_review)
  FROM records GROUP BY 1, 2, 3;
--> statement-breakpoint
INSERT INTO overview_counts (org_id, grain, kind, at, project_id, key, ref, calls, completed, failed, score_sum, score_count,
                             duration_sum, duration_count, passed, violated, reviewed, share_sum, share_count, awaiting)
SELECT x.org_id, g.grain, x.kind, g.at, x.project_id, x.key, x.ref,
       sum(x.calls), sum(x.completed), sum(x.failed), sum(x.score_sum), sum(x.score_count),
       sum(x.duration_sum), sum(x.duration_count), sum(x.passed), sum(x.violated), sum(x.reviewed),
       sum(x.share_sum), sum(x.share_count), sum(x.awaiting)
  FROM (SELECT c.* FROM records r CROSS JOIN LATERAL record_counts(r, 1) c
        UNION ALL SELECT c.* FROM analyses a CROSS JOIN LATERAL analysis_counts(a, 1) c WHERE a.current) x
 CROSS JOIN LATERAL (VALUES (0::smallint, x.at), (1::smallint, date_trunc('day', x.at, 'UTC'))) g(grain, at)
 GROUP BY 1, 2, 3, 4, 5, 6, 7;
