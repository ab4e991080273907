ALTER TABLE "projects" ADD COLUMN "retained_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "records" ADD COLUMN "content_deleted_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "projects_retention" ON "projects" USING btree ("org_id","id") WHERE retention_days is not null;--> statement-breakpoint
-- Retention finds what is due across organizations, and deletes it inside each.
CREATE POLICY system_read ON projects FOR SELECT TO earshot_system USING (true);
--> statement-breakpoint
GRANT SELECT (org_id, id, retention_days, retained_since) ON projects TO earshot_system;
