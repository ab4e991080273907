CREATE TABLE "idempotency_keys" (
	"org_id" text NOT NULL,
	"client" text NOT NULL,
	"key" text NOT NULL,
	"fingerprint" text NOT NULL,
	"lease" text NOT NULL,
	"leased_until" timestamp (3) with time zone NOT NULL,
	"is_carried_out" boolean DEFAULT false NOT NULL,
	"status" integer,
	"location" text,
	"body" text,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_org_id_client_key_pk" PRIMARY KEY("org_id","client","key")
);
--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_org_id_orgs_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."orgs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "idempotency_keys_expiry" ON "idempotency_keys" USING btree ("expires_at");--> statement-breakpoint
SELECT protect_tenant_table('idempotency_keys');
--> statement-breakpoint
-- The sweeper removes what has expired, in all organizations, and sees nothing else.
CREATE POLICY system_read_expired ON idempotency_keys FOR SELECT TO earshot_system USING (expires_at < now());
--> statement-breakpoint
CREATE POLICY system_remove_expired ON idempotency_keys FOR DELETE TO earshot_system USING (expires_at < now());
--> statement-breakpoint
GRANT SELECT, DELETE ON idempotency_keys TO earshot_system;
