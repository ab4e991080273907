ALTER TABLE "records" ADD COLUMN "reviewed" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "analyses" ADD COLUMN "record_created_at" timestamp (3) with time zone DEFAULT now() NOT NULL;
--> statement-breakpoint
UPDATE analyses a SET record_created_at = r.created_at FROM records r WHERE (r.org_id, r.id) = (a.org_id, a.record_id);
--> statement-breakpoint
UPDATE records r SET reviewed = true FROM analyses a WHERE (a.org_id, a.id) = (r.org_id, r.analysis_id) AND a.current AND a.reviewed;
--> statement-breakpoint
CREATE TABLE "overview_counts" (
	"org_id" text NOT NULL,
	"grain" smallint NOT NULL,
	"kind" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"project_id" text NOT NULL,
	"key" text NOT NULL,
	"ref" text NOT NULL,
	"calls" integer DEFAULT 0 NOT NULL,
	"completed" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"score_sum" bigint DEFAULT 0 NOT NULL,
	"score_count" integer DEFAULT 0 NOT NULL,
	"duration_sum" bigint DEFAULT 0 NOT NULL,
	"duration_count" integer DEFAULT 0 NOT NULL,
	"passed" integer DEFAULT 0 NOT NULL,
	"violated" integer DEFAULT 0 NOT NULL,
	"reviewed" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "overview_counts_org_id_grain_kind_at_project_id_key_ref_pk" PRIMARY KEY("org_id","grain","kind","at","project_id","key","ref")
);
--> statement-breakpoint
ALTER TABLE "overview_counts" ADD CONSTRAINT "overview_counts_org_id_project_id_projects_org_id_id_fk" FOREIGN KEY ("org_id","project_id") REFERENCES "public"."projects"("org_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "overview_counts_project" ON "overview_counts" USING btree ("org_id","project_id");
--> statement-breakpoint
CREATE INDEX "records_unreviewed_score" ON "records" USING btree ("org_id","quality_score","created_at","project_id") WHERE status = 'completed' and not reviewed and quality_score is not null;
--> statement-breakpoint
SELECT protect_tenant_table('overview_counts');
--> statement-breakpoint
-- Small and often rewritten: room on each page keeps the updates inside it.
ALTER TABLE overview_counts SET (fillfactor = 50);
--> statement-breakpoint
-- What one record counts for: among all calls, and among those of its agent.
CREATE FUNCTION record_counts(r records, sign integer) RETURNS SETOF overview_counts LANGUAGE sql STABLE AS $$
  SELECT r.org_id, 0::smallint, v.kind, date_bin('30 minutes', r.created_at, '2000-01-01 00:00+00'), r.project_id, v.key, v.ref,
         sign, (r.status = 'completed')::int * sign, (r.status = 'failed')::int * sign,
         CASE WHEN r.status = 'completed' THEN coalesce(r.quality_score, 0) * sign ELSE 0 END::bigint,
         (r.status = 'completed' AND r.quality_score IS NOT NULL)::int * sign,
         CASE WHEN r.status = 'completed' THEN coalesce(r.duration_seconds, 0) * sign ELSE 0 END::bigint,
         (r.status = 'completed' AND r.duration_seconds IS NOT NULL)::int * sign,
         (r.status = 'completed' AND r.compliance_status IS NOT DISTINCT FROM 'passed')::int * sign,
         (r.status = 'completed' AND r.compliance_status IS NOT DISTINCT FROM 'failed')::int * sign,
         (r.status = 'completed' AND r.reviewed)::int * sign
    FROM (VALUES ('call', '', ''), ('agent', r.agent_name, coalesce(r.agent_user_id, ''))) v(kind, key, ref)
   WHERE v.key IS NOT NULL
$$;
--> statement-breakpoint
-- What the current analysis of a record counts for: its final categories, and its checks, where `calls` are those to which a
-- check applies.
CREATE FUNCTION analysis_counts(a analyses, sign integer) RETURNS SETOF overview_counts LANGUAGE sql STABLE AS $$
  SELECT a.org_id, 0::smallint, v.kind, date_bin('30 minutes', a.record_created_at, '2000-01-01 00:00+00'), a.project_id, v.key, '',
         v.calls * sign, 0, v.failed * sign, (v.score * sign)::bigint, (v.kind = 'category')::int * sign, 0::bigint, 0, 0, 0, 0
    FROM (
      SELECT 'category' AS kind, c.key, 1 AS calls, 0 AS failed, c.value::int AS score
        FROM json_each_text(CASE WHEN a.reviewed THEN a.final_categories ELSE a.categories END) c WHERE c.value IS NOT NULL
      UNION ALL
      SELECT 'check', c.check->>'key', 1, (c.check->>'answer' = 'fail')::int, 0
        FROM jsonb_array_elements(a.checks) c("check") WHERE c.check->>'answer' IN ('pass', 'partial', 'fail')
    ) v
   WHERE a.current AND a.status = 'completed'
$$;
--> statement-breakpoint
-- All of them of one project. Whoever counts holds the project until the commit, so that no two wait for each other.
CREATE FUNCTION add_overview_counts(changes overview_counts[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF cardinality(changes) = 0 THEN RETURN; END IF;
  IF NOT EXISTS (SELECT FROM projects p WHERE (p.org_id, p.id) = (changes[1].org_id, changes[1].project_id)) THEN RETURN; END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended(changes[1].org_id || changes[1].project_id, 33));
  INSERT INTO overview_counts AS c (org_id, grain, kind, at, project_id, key, ref, calls, completed, failed, score_sum, score_count,
                                    duration_sum, duration_count, passed, violated, reviewed)
  SELECT x.org_id, g.grain, x.kind, g.at, x.project_id, x.key, x.ref,
         sum(x.calls), sum(x.completed), sum(x.failed), sum(x.score_sum), sum(x.score_count),
         sum(x.duration_sum), sum(x.duration_count), sum(x.passed), sum(x.violated), sum(x.reviewed)
    FROM unnest(changes) x
   CROSS JOIN LATERAL (VALUES (0::smallint, x.at), (1::smallint, date_trunc('day', x.at, 'UTC'))) g(grain, at)
   GROUP BY 1, 2, 3, 4, 5, 6, 7
  HAVING (sum(x.calls), sum(x.completed), sum(x.failed), sum(x.score_sum), sum(x.score_count), sum(x.duration_sum),
          sum(x.duration_count), sum(x.passed), sum(x.violated), sum(x.reviewed)) <> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  ON CONFLICT (org_id, grain, kind, at, project_id, key, ref) DO UPDATE SET
    calls = c.calls + excluded.calls, completed = c.completed + excluded.completed, failed = c.failed + excluded.failed,
    score_sum = c.score_sum + excluded.score_sum, score_count = c.score_count + excluded.score_count,
    duration_sum = c.duration_sum + excluded.duration_sum, duration_count = c.duration_count + excluded.duration_count,
    passed = c.passed + excluded.passed, violated = c.violated + excluded.violated, reviewed = c.reviewed + excluded.reviewed;
END $$;
--> statement-breakpoint
CREATE FUNCTION count_record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN PERFORM add_overview_counts(array(SELECT c FROM record_counts(NEW, 1) c));
  ELSIF TG_OP = 'DELETE' THEN PERFORM add_overview_counts(array(SELECT c FROM record_counts(OLD, -1) c));
  ELSE PERFORM add_overview_counts(array(SELECT c FROM record_counts(NEW, 1) c UNION ALL SELECT c FROM record_counts(OLD, -1) c));
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION count_analysis() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN PERFORM add_overview_counts(array(SELECT c FROM analysis_counts(NEW, 1) c));
  ELSIF TG_OP = 'DELETE' THEN PERFORM add_overview_counts(array(SELECT c FROM analysis_counts(OLD, -1) c));
  ELSE PERFORM add_overview_counts(array(SELECT c FROM analysis_counts(NEW, 1) c UNION ALL SELECT c FROM analysis_counts(OLD, -1) c));
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- The day of an analysis is that of its call.
CREATE FUNCTION set_record_created_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT r.created_at INTO NEW.record_created_at FROM records r WHERE (r.org_id, r.id) = (NEW.org_id, NEW.record_id);
  NEW.record_created_at = coalesce(NEW.record_created_at, now());
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER analyses_record_created_at BEFORE INSERT ON analyses FOR EACH ROW EXECUTE FUNCTION set_record_created_at();
--> statement-breakpoint
INSERT INTO overview_counts
  SELECT x.org_id, g.grain, x.kind, g.at, x.project_id, x.key, x.ref,
         sum(x.calls), sum(x.completed), sum(x.failed), sum(x.score_sum), sum(x.score_count),
         sum(x.duration_sum), sum(x.duration_count), sum(x.passed), sum(x.violated), sum(x.reviewed)
    FROM (SELECT c.* FROM records r CROSS JOIN LATERAL record_counts(r, 1) c
          UNION ALL SELECT c.* FROM analyses a CROSS JOIN LATERAL analysis_counts(a, 1) c WHERE a.current) x
   CROSS JOIN LATERAL (VALUES (0::smallint, x.at), (1::smallint, date_trunc('day', x.at, 'UTC'))) g(grain, at)
   GROUP BY 1, 2, 3, 4, 5, 6, 7;
--> statement-breakpoint
-- Deferred to the commit: the counters of a project are shared by all its calls, and held by whoever counts.
CREATE CONSTRAINT TRIGGER overview_record_added AFTER INSERT OR DELETE ON records DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION count_record();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER overview_record_changed AFTER UPDATE ON records DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN ((OLD.status, OLD.quality_score, OLD.compliance_status, OLD.duration_seconds, OLD.reviewed, OLD.agent_name,
                      OLD.agent_user_id, OLD.project_id, OLD.created_at) IS DISTINCT FROM
                     (NEW.status, NEW.quality_score, NEW.compliance_status, NEW.duration_seconds, NEW.reviewed, NEW.agent_name,
                      NEW.agent_user_id, NEW.project_id, NEW.created_at))
  EXECUTE FUNCTION count_record();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER overview_analysis_added AFTER INSERT ON analyses DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.current) EXECUTE FUNCTION count_analysis();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER overview_analysis_removed AFTER DELETE ON analyses DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.current) EXECUTE FUNCTION count_analysis();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER overview_analysis_changed AFTER UPDATE ON analyses DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.current OR NEW.current) EXECUTE FUNCTION count_analysis();
