CREATE TABLE "portals" (
	"org_id" text NOT NULL,
	"member_id" text NOT NULL,
	"domain" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "portals_org_id_member_id_pk" PRIMARY KEY("org_id","member_id")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"org_id" text NOT NULL,
	"id" text NOT NULL,
	"user_id" text NOT NULL,
	"hash" "bytea" NOT NULL,
	"portal_origin" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sessions_org_id_id_pk" PRIMARY KEY("org_id","id")
);
--> statement-breakpoint
ALTER TABLE "portals" ADD CONSTRAINT "portals_org_id_orgs_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."orgs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_org_id_user_id_memberships_org_id_user_id_fk" FOREIGN KEY ("org_id","user_id") REFERENCES "public"."memberships"("org_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "portals_member" ON "portals" USING btree ("member_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_hash" ON "sessions" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("org_id","user_id");--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");
--> statement-breakpoint
SELECT protect_tenant_table(t::regclass) FROM unnest(ARRAY['portals', 'sessions']) AS t;
--> statement-breakpoint
-- A frame says who it is before an organization is known; a cookie does so with every request.
SELECT open_to_system(t::regclass) FROM unnest(ARRAY['portals', 'sessions']) AS t;
