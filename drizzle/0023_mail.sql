CREATE TABLE "mail_keys" (
	"org_id" text PRIMARY KEY NOT NULL,
	"key" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mail_refusals" (
	"org_id" text NOT NULL,
	"recipient" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mail_refusals_org_id_recipient_pk" PRIMARY KEY("org_id","recipient")
);
--> statement-breakpoint
ALTER TABLE "mail_keys" ADD CONSTRAINT "mail_keys_org_id_orgs_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."orgs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_refusals" ADD CONSTRAINT "mail_refusals_org_id_orgs_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."orgs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
SELECT protect_tenant_table(t::regclass) FROM unnest(ARRAY['mail_keys', 'mail_refusals']) AS t;
