ALTER TABLE "analyses" ADD COLUMN "requested_by" text;--> statement-breakpoint
ALTER TABLE "analyses" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "analyses" ADD COLUMN "retranscribe" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "analyses" ADD COLUMN "updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "analyses_running" ON "analyses" USING btree ("org_id","record_id") WHERE status in ('pending', 'processing');--> statement-breakpoint
CREATE INDEX "analyses_unfinished" ON "analyses" USING btree ("updated_at") WHERE status in ('pending', 'processing');--> statement-breakpoint
-- The sweeper looks for stuck re-analyses across organizations and changes them inside their own.
CREATE POLICY system_read ON analyses FOR SELECT TO earshot_system USING (true);
--> statement-breakpoint
GRANT SELECT ON analyses TO earshot_system;
