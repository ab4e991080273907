CREATE TABLE "first_steps" (
	"org_id" text NOT NULL,
	"user_id" text NOT NULL,
	"confirmed" text[] NOT NULL,
	"skipped" text[] NOT NULL,
	"dismissed_at" timestamp (3) with time zone,
	CONSTRAINT "first_steps_org_id_user_id_pk" PRIMARY KEY("org_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "first_steps" ADD CONSTRAINT "first_steps_org_id_user_id_memberships_org_id_user_id_fk" FOREIGN KEY ("org_id","user_id") REFERENCES "public"."memberships"("org_id","user_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
SELECT protect_tenant_table('first_steps');
