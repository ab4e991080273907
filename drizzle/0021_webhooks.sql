CREATE TABLE "webhook_deliveries" (
	"org_id" text NOT NULL,
	"id" text NOT NULL,
	"webhook_id" text NOT NULL,
	"event_id" text NOT NULL,
	"event_type" text NOT NULL,
	"body" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"request_id" text NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"attempts" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_deliveries_org_id_id_pk" PRIMARY KEY("org_id","id")
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"org_id" text NOT NULL,
	"id" text NOT NULL,
	"url" text NOT NULL,
	"description" text,
	"events" text[] NOT NULL,
	"enabled" boolean NOT NULL,
	"disabled_reason" text,
	"disabled_at" timestamp (3) with time zone,
	"secrets" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhooks_org_id_id_pk" PRIMARY KEY("org_id","id")
);
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_org_id_webhook_id_webhooks_org_id_id_fk" FOREIGN KEY ("org_id","webhook_id") REFERENCES "public"."webhooks"("org_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_org_id_orgs_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."orgs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_webhook" ON "webhook_deliveries" USING btree ("org_id","webhook_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_status" ON "webhook_deliveries" USING btree ("org_id","webhook_id","status","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("next_attempt_at") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_age" ON "webhook_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "webhooks_created" ON "webhooks" USING btree ("org_id","created_at","id");--> statement-breakpoint
SELECT protect_tenant_table(t::regclass) FROM unnest(ARRAY['webhooks', 'webhook_deliveries']) AS t;
--> statement-breakpoint
-- Rewritten by every attempt: room on each page keeps the table from growing.
ALTER TABLE webhook_deliveries SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
--> statement-breakpoint
-- The sweeper finds deliveries that nobody works on, and removes old ones, in all organizations. It sees no content.
CREATE POLICY system_read ON webhook_deliveries FOR SELECT TO earshot_system USING (true);
--> statement-breakpoint
CREATE POLICY system_remove_old ON webhook_deliveries FOR DELETE TO earshot_system USING (created_at < now() - interval '30 days');
--> statement-breakpoint
GRANT SELECT (org_id, id, webhook_id, request_id, status, next_attempt_at, created_at), DELETE ON webhook_deliveries TO earshot_system;
