CREATE TABLE "alert_events" (
	"org_id" text NOT NULL,
	"id" text NOT NULL,
	"alert_id" text NOT NULL,
	"analysis_id" text NOT NULL,
	"record_id" text NOT NULL,
	"project_id" text NOT NULL,
	"cause" text NOT NULL,
	"severity" text NOT NULL,
	"field" text NOT NULL,
	"operator" text NOT NULL,
	"threshold" jsonb NOT NULL,
	"value" jsonb NOT NULL,
	"triggered_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "alert_events_org_id_id_pk" PRIMARY KEY("org_id","id")
);
--> statement-breakpoint
CREATE TABLE "alerts" (
	"org_id" text NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	"project_id" text,
	"field" text NOT NULL,
	"operator" text NOT NULL,
	"value" jsonb NOT NULL,
	"actions" text[] NOT NULL,
	"recipients" text[] DEFAULT '{}'::text[] NOT NULL,
	"severity" text NOT NULL,
	"cooldown_seconds" integer NOT NULL,
	"enabled" boolean NOT NULL,
	"trigger_count" integer DEFAULT 0 NOT NULL,
	"last_triggered_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "alerts_org_id_id_pk" PRIMARY KEY("org_id","id")
);
--> statement-breakpoint
ALTER TABLE "alert_events" ADD CONSTRAINT "alert_events_org_id_alert_id_alerts_org_id_id_fk" FOREIGN KEY ("org_id","alert_id") REFERENCES "public"."alerts"("org_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_events" ADD CONSTRAINT "alert_events_org_id_analysis_id_analyses_org_id_id_fk" FOREIGN KEY ("org_id","analysis_id") REFERENCES "public"."analyses"("org_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_org_id_orgs_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."orgs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_org_id_project_id_projects_org_id_id_fk" FOREIGN KEY ("org_id","project_id") REFERENCES "public"."projects"("org_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "alert_events_once" ON "alert_events" USING btree ("org_id","analysis_id","alert_id");--> statement-breakpoint
CREATE INDEX "alert_events_alert" ON "alert_events" USING btree ("org_id","alert_id","triggered_at","id");--> statement-breakpoint
CREATE INDEX "alerts_created" ON "alerts" USING btree ("org_id","created_at","id");--> statement-breakpoint
CREATE INDEX "alerts_project" ON "alerts" USING btree ("org_id","project_id","created_at","id");--> statement-breakpoint
SELECT protect_tenant_table(t::regclass) FROM unnest(ARRAY['alerts', 'alert_events']) AS t;
--> statement-breakpoint
-- Few and often rewritten: room on each page keeps the updates inside it.
ALTER TABLE alerts SET (fillfactor = 50);
