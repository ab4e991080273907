ALTER TABLE "analyses" ADD COLUMN "replaces_revision" integer;--> statement-breakpoint
-- Those under way were asked for when nobody had to say that a review may be replaced: they may replace what they found.
DO $$
DECLARE org text;
BEGIN
  FOR org IN SELECT id FROM orgs LOOP
    PERFORM set_config('app.org_id', org, true);
    UPDATE analyses a
       SET replaces_revision = (
         SELECT max(e.revision)
           FROM analyses c
           JOIN reviews r ON (r.org_id, r.analysis_id) = (c.org_id, c.id)
           JOIN review_entries e ON (e.org_id, e.review_id) = (r.org_id, r.id)
          WHERE c.org_id = org AND c.record_id = a.record_id AND c.current
            AND e.kind = 'submitted' AND e.created_at <= a.created_at)
     WHERE a.org_id = org AND a.status IN ('pending', 'processing');
  END LOOP;
  PERFORM set_config('app.org_id', '', true);
END $$;
