-- What migrations before this one have left to be counted is counted now: tables cannot be altered while it waits.
SET CONSTRAINTS ALL IMMEDIATE;
--> statement-breakpoint
SET CONSTRAINTS ALL DEFERRED;
--> statement-breakpoint
ALTER TABLE "analyses" ADD COLUMN "judged_share" double precision;--> statement-breakpoint
ALTER TABLE "analyses" ADD COLUMN "needs_review_count" integer;--> statement-breakpoint
ALTER TABLE "analyses" ADD COLUMN "final_judged_share" double precision;--> statement-breakpoint
ALTER TABLE "analyses" ADD COLUMN "final_needs_review_count" integer;--> statement-breakpoint
ALTER TABLE "analyses" ADD COLUMN "shown_judged_share" double precision GENERATED ALWAYS AS (case when reviewed then final_judged_share else judged_share end) STORED;--> statement-breakpoint
ALTER TABLE "analyses" ADD COLUMN "shown_needs_review_count" integer GENERATED ALWAYS AS (case when reviewed then final_needs_review_count else needs_review_count end) STORED;--> statement-breakpoint
ALTER TABLE "overview_counts" ADD COLUMN "share_sum" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "overview_counts" ADD COLUMN "share_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "overview_counts" ADD COLUMN "awaiting" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "record_days" ADD COLUMN "share_sum" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "record_days" ADD COLUMN "share_count" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "record_days" ADD COLUMN "awaiting" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "records" ADD COLUMN "judged_share" double precision;--> statement-breakpoint
ALTER TABLE "records" ADD COLUMN "needs_review_count" integer;--> statement-breakpoint
ALTER TABLE "records" ADD COLUMN "awaits_review" boolean GENERATED ALWAYS AS (status = 'completed' and not reviewed and quality_score is null and judged_share is not null) STORED NOT NULL;--> statement-breakpoint
-- Whoever counts comes after the columns are filled: here nothing is counted twice, and the counters are set below.
ALTER TABLE analyses DISABLE TRIGGER USER;
--> statement-breakpoint
ALTER TABLE records DISABLE TRIGGER USER;
--> statement-breakpoint
-- From the answers that are stored, by the weights of the profile version that gave them. A category that a reviewer scored
-- otherwise is judged as a whole. Where no answers are stored nothing is known, and nothing is said.
UPDATE analyses a
   SET judged_share = s.share, needs_review_count = s.open,
       final_judged_share = CASE WHEN a.reviewed THEN s.final_share END,
       final_needs_review_count = CASE WHEN a.reviewed THEN s.final_open END
  FROM (
    SELECT c.org_id, c.id, sum(c.open) AS open, coalesce(sum(c.open) FILTER (WHERE NOT c.is_scored), 0) AS final_open,
           floor(round(sum(c.weight * c.judged / c.applying) FILTER (WHERE c.applying > 0)
                       / nullif(sum(c.weight) FILTER (WHERE c.applying > 0), 0), 12) * 1000) / 1000 AS share,
           floor(round(sum(CASE WHEN c.is_scored THEN c.weight ELSE c.weight * c.judged / nullif(c.applying, 0) END)
                         FILTER (WHERE c.counts_finally)
                       / nullif(sum(c.weight) FILTER (WHERE c.counts_finally), 0), 12) * 1000) / 1000 AS final_share
      FROM (
        SELECT p.*, p.is_reviewed AND p.final IS DISTINCT FROM p.automatic AS is_scored,
               CASE WHEN p.is_reviewed AND p.final IS DISTINCT FROM p.automatic THEN p.final IS NOT NULL
                    ELSE p.applying > 0 END AS counts_finally
          FROM (
            SELECT a.org_id, a.id, a.reviewed AS is_reviewed, (part.value->>'weight')::numeric AS weight,
                   a.categories->>(part.value->>'key') AS automatic, a.final_categories->>(part.value->>'key') AS final,
                   checks.applying, checks.judged, checks.open
              FROM analyses a
              JOIN profile_versions v
                ON (v.org_id, v.profile_id, v.version) = (a.org_id, a.profile_id, a.profile_version)
             CROSS JOIN LATERAL jsonb_array_elements(v.rubric->'categories') part
             CROSS JOIN LATERAL (
               SELECT coalesce(sum(k.weight) FILTER (WHERE k.answer <> 'not_applicable'), 0) AS applying,
                      coalesce(sum(k.weight) FILTER (WHERE k.answer IN ('pass', 'partial', 'fail')), 0) AS judged,
                      count(*) FILTER (WHERE k.answer = 'needs_review') AS open
                 FROM jsonb_to_recordset(a.checks) k(category text, weight numeric, answer text)
                WHERE k.category = part.value->>'key') checks
             WHERE a.status = 'completed' AND a.checks <> '[]'
          ) p
      ) c
     GROUP BY 1, 2
  ) s
 WHERE (a.org_id, a.id) = (s.org_id, s.id);
--> statement-breakpoint
UPDATE records r
   SET judged_share = a.shown_judged_share, needs_review_count = a.shown_needs_review_count
  FROM analyses a
 WHERE (a.org_id, a.id) = (r.org_id, r.analysis_id) AND a.judged_share IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "analyses_share_asc" ON "analyses" USING btree ("org_id","shown_judged_share","id");--> statement-breakpoint
CREATE INDEX "analyses_share_desc" ON "analyses" USING btree ("org_id","shown_judged_share" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "analyses_awaiting" ON "analyses" USING btree ("org_id","created_at","id") WHERE current and not reviewed and quality_score is null and judged_share is not null;--> statement-breakpoint
CREATE INDEX "records_share_asc" ON "records" USING btree ("org_id","judged_share","id");--> statement-breakpoint
CREATE INDEX "records_share_desc" ON "records" USING btree ("org_id","judged_share" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "records_awaiting_created" ON "records" USING btree ("org_id","awaits_review","created_at","id");
--> statement-breakpoint
ALTER TABLE records ENABLE TRIGGER USER;
--> statement-breakpoint
ALTER TABLE analyses ENABLE TRIGGER USER;
--> statement-breakpoint
UPDATE record_days d
   SET share_sum = c.share_sum, share_count = c.share_count, awaiting = c.awaiting
  FROM (
    SELECT org_id, project_id, (created_at AT TIME ZONE 'UTC')::date AS day,
           coalesce(sum(round(judged_share * 1000)), 0)::bigint AS share_sum, count(judged_share) AS share_count,
           count(*) FILTER (WHERE awaits_review) AS awaiting
      FROM records WHERE status = 'completed' GROUP BY 1, 2, 3
  ) c
 WHERE (d.org_id, d.project_id, d.day) = (c.org_id, c.project_id, c.day);
--> statement-breakpoint
CREATE OR REPLACE FUNCTION apply_record_day_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO record_days AS d (org_id, project_id, day, pending, processing, completed, failed, duration_sum, duration_count, score_sum,
                                  score_count, share_sum, share_count, awaiting)
    SELECT org_id, project_id, (created_at AT TIME ZONE 'UTC')::date AS day,
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
      SELECT n.org_id, n.project_id, (n.created_at AT TIME ZONE 'UTC')::date AS day, n.status, n.duration_seconds, n.quality_score,
             n.judged_share, n.awaits_review, 1 AS sign
        FROM new_rows n JOIN old_rows o USING (org_id, id)
       WHERE (o.project_id, o.created_at, o.status, o.duration_seconds, o.quality_score, o.judged_share, o.awaits_review)
             IS DISTINCT FROM (n.project_id, n.created_at, n.status, n.duration_seconds, n.quality_score, n.judged_share, n.awaits_review)
      UNION ALL
      SELECT o.org_id, o.project_id, (o.created_at AT TIME ZONE 'UTC')::date, o.status, o.duration_seconds, o.quality_score,
             o.judged_share, o.awaits_review, -1
        FROM new_rows n JOIN old_rows o USING (org_id, id)
       WHERE (o.project_id, o.created_at, o.status, o.duration_seconds, o.quality_score, o.judged_share, o.awaits_review)
             IS DISTINCT FROM (n.project_id, n.created_at, n.status, n.duration_seconds, n.quality_score, n.judged_share, n.awaits_review)
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
      SELECT org_id, project_id, (created_at AT TIME ZONE 'UTC')::date AS day,
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
-- What one record counts for: among all calls, and among those of its agent.
CREATE OR REPLACE FUNCTION record_counts(r records, sign integer) RETURNS SETOF overview_counts LANGUAGE sql STABLE AS $$
  SELECT r.org_id, 0::smallint, v.kind, date_bin('30 minutes', r.created_at, '2000-01-01 00:00+00'), r.project_id, v.key, v.ref,
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
-- What the current analysis of a record counts for: its final categories, where the call has a score at all, and its checks,
-- where `calls` are those to which a check applies.
CREATE OR REPLACE FUNCTION analysis_counts(a analyses, sign integer) RETURNS SETOF overview_counts LANGUAGE sql STABLE AS $$
  SELECT a.org_id, 0::smallint, v.kind, date_bin('30 minutes', a.record_created_at, '2000-01-01 00:00+00'), a.project_id, v.key, '',
         v.calls * sign, 0, v.failed * sign, (v.score * sign)::bigint, (v.kind = 'category')::int * sign, 0::bigint, 0, 0, 0, 0,
         0::bigint, 0, 0
    FROM (
      SELECT 'category' AS kind, c.key, 1 AS calls, 0 AS failed, c.value::int AS score
        FROM json_each_text(CASE WHEN a.reviewed THEN a.final_categories ELSE a.categories END) c
       WHERE c.value IS NOT NULL AND (CASE WHEN a.reviewed THEN a.final_quality_score ELSE a.quality_score END) IS NOT NULL
      UNION ALL
      SELECT 'check', c.check->>'key', 1, (c.check->>'answer' = 'fail')::int, 0
        FROM jsonb_array_elements(a.checks) c("check") WHERE c.check->>'answer' IN ('pass', 'partial', 'fail')
    ) v
   WHERE a.current AND a.status = 'completed'
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION add_overview_counts(changes overview_counts[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF cardinality(changes) = 0 THEN RETURN; END IF;
  IF NOT EXISTS (SELECT FROM projects p WHERE (p.org_id, p.id) = (changes[1].org_id, changes[1].project_id)) THEN RETURN; END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended(changes[1].org_id || changes[1].project_id, 33));
  INSERT INTO overview_counts AS c (org_id, grain, kind, at, project_id, key, ref, calls, completed, failed, score_sum, score_count,
                                    duration_sum, duration_count, passed, violated, reviewed, share_sum, share_count, awaiting)
  SELECT x.org_id, g.grain, x.kind, g.at, x.project_id, x.key, x.ref,
         sum(x.calls), sum(x.completed), sum(x.failed), sum(x.score_sum), sum(x.score_count),
         sum(x.duration_sum), sum(x.duration_count), sum(x.passed), sum(x.violated), sum(x.reviewed),
         sum(x.share_sum), sum(x.share_count), sum(x.awaiting)
    FROM unnest(changes) x
   CROSS JOIN LATERAL (VALUES (0::smallint, x.at), (1::smallint, date_trunc('day', x.at, 'UTC'))) g(grain, at)
   GROUP BY 1, 2, 3, 4, 5, 6, 7
  HAVING (sum(x.calls), sum(x.completed), sum(x.failed), sum(x.score_sum), sum(x.score_count), sum(x.duration_sum),
          sum(x.duration_count), sum(x.passed), sum(x.violated), sum(x.reviewed), sum(x.share_sum), sum(x.share_count),
          sum(x.awaiting)) <> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  ON CONFLICT (org_id, grain, kind, at, project_id, key, ref) DO UPDATE SET
    calls = c.calls + excluded.calls, completed = c.completed + excluded.completed, failed = c.failed + excluded.failed,
    score_sum = c.score_sum + excluded.score_sum, score_count = c.score_count + excluded.score_count,
    duration_sum = c.duration_sum + excluded.duration_sum, duration_count = c.duration_count + excluded.duration_count,
    passed = c.passed + excluded.passed, violated = c.violated + excluded.violated, reviewed = c.reviewed + excluded.reviewed,
    share_sum = c.share_sum + excluded.share_sum, share_count = c.share_count + excluded.share_count,
    awaiting = c.awaiting + excluded.awaiting;
END $$;
--> statement-breakpoint
DROP TRIGGER overview_record_changed ON records;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER overview_record_changed AFTER UPDATE ON records DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN ((OLD.status, OLD.quality_score, OLD.judged_share, OLD.compliance_status, OLD.duration_seconds, OLD.reviewed,
                      OLD.agent_name, OLD.agent_user_id, OLD.project_id, OLD.created_at) IS DISTINCT FROM
                     (NEW.status, NEW.quality_score, NEW.judged_share, NEW.compliance_status, NEW.duration_seconds, NEW.reviewed,
                      NEW.agent_name, NEW.agent_user_id, NEW.project_id, NEW.created_at))
  EXECUTE FUNCTION count_record();
--> statement-breakpoint
UPDATE overview_counts c
   SET share_sum = s.share_sum, share_count = s.share_count, awaiting = s.awaiting
  FROM (
    SELECT x.org_id, g.grain, x.kind, g.at, x.project_id, x.key, x.ref,
           sum(x.share_sum) AS share_sum, sum(x.share_count) AS share_count, sum(x.awaiting) AS awaiting
      FROM records r
     CROSS JOIN LATERAL record_counts(r, 1) x
     CROSS JOIN LATERAL (VALUES (0::smallint, x.at), (1::smallint, date_trunc('day', x.at, 'UTC'))) g(grain, at)
     WHERE r.judged_share IS NOT NULL
     GROUP BY 1, 2, 3, 4, 5, 6, 7
  ) s
 WHERE (c.org_id, c.grain, c.kind, c.at, c.project_id, c.key, c.ref) = (s.org_id, s.grain, s.kind, s.at, s.project_id, s.key, s.ref);
