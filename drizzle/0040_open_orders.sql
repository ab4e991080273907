CREATE TABLE "mail_sends" (
	"org_id" text NOT NULL,
	"order_id" text NOT NULL,
	"recipient" text NOT NULL,
	"run_id" text NOT NULL,
	"claimed_until" timestamp (3) with time zone NOT NULL,
	"accepted_at" timestamp (3) with time zone,
	CONSTRAINT "mail_sends_org_id_order_id_recipient_pk" PRIMARY KEY("org_id","order_id","recipient")
);
--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "announcements" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "due_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "done_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "mail_sends" ADD CONSTRAINT "mail_sends_org_id_orgs_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."orgs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "outbox_due" ON "outbox" USING btree ("due_at") WHERE due_at is not null;--> statement-breakpoint
SELECT protect_tenant_table('mail_sends');
--> statement-breakpoint
-- Goes with the orders, which are pruned in all organizations.
CREATE POLICY system_read ON mail_sends FOR SELECT TO earshot_system USING (true);
--> statement-breakpoint
CREATE POLICY system_remove ON mail_sends FOR DELETE TO earshot_system USING (true);
--> statement-breakpoint
GRANT SELECT (org_id, order_id), DELETE ON mail_sends TO earshot_system;
