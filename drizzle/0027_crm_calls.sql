-- A TypeID for each portal that is there: hexadecimal digits are digits of its base 32 too. By a default, since an update
-- would see no rows through the forced policies where the owner of the tables is no superuser.
ALTER TABLE "portals" ADD COLUMN "id" text DEFAULT ('ptl_0' || substr(md5(gen_random_uuid()::text), 1, 25)) NOT NULL;--> statement-breakpoint
ALTER TABLE "portals" ALTER COLUMN "id" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "portals" ADD COLUMN "project_id" text;--> statement-breakpoint
ALTER TABLE "portals" ADD COLUMN "status" text DEFAULT 'active' NOT NULL;--> statement-breakpoint
ALTER TABLE "portals" ADD COLUMN "suspended_reason" text;--> statement-breakpoint
ALTER TABLE "portals" ADD COLUMN "suspended_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "portals" ADD COLUMN "duration_min_seconds" integer DEFAULT 5 NOT NULL;--> statement-breakpoint
ALTER TABLE "portals" ADD COLUMN "sends_transcript" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "portals" ADD COLUMN "sends_comment" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "portals" ADD COLUMN "events_url" text;--> statement-breakpoint
ALTER TABLE "portals" ADD COLUMN "reconcile_from" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "portals" ADD COLUMN "reconciled_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "portals" ADD COLUMN "updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
CREATE TABLE "portal_installations" (
	"member_id" text PRIMARY KEY NOT NULL,
	"domain" text NOT NULL,
	"client_endpoint" text NOT NULL,
	"application_token_hash" "bytea" NOT NULL,
	"access_token" text,
	"refresh_token" text,
	"token_version" integer DEFAULT 0 NOT NULL,
	"renewing_until" timestamp (3) with time zone,
	"link_code_hash" "bytea",
	"link_code_expires_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "crm_calls" (
	"org_id" text NOT NULL,
	"member_id" text NOT NULL,
	"call_id" text NOT NULL,
	"portal_id" text NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"announced_by" text NOT NULL,
	"started_at" timestamp (3) with time zone,
	"duration_seconds" integer,
	"record_id" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "crm_calls_org_id_member_id_call_id_pk" PRIMARY KEY("org_id","member_id","call_id")
);
--> statement-breakpoint
CREATE TABLE "crm_reports" (
	"org_id" text NOT NULL,
	"analysis_id" text NOT NULL,
	"kind" text NOT NULL,
	"record_id" text NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"transcript_version" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "crm_reports_org_id_analysis_id_kind_pk" PRIMARY KEY("org_id","analysis_id","kind")
);
--> statement-breakpoint
-- The project alone becomes null: the organization is part of the key and stays.
ALTER TABLE "portals" ADD CONSTRAINT "portals_org_id_project_id_projects_org_id_id_fk" FOREIGN KEY ("org_id","project_id") REFERENCES "public"."projects"("org_id","id") ON DELETE SET NULL ("project_id") ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "crm_calls" ADD CONSTRAINT "crm_calls_org_id_orgs_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."orgs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "crm_reports" ADD CONSTRAINT "crm_reports_org_id_analysis_id_analyses_org_id_id_fk" FOREIGN KEY ("org_id","analysis_id") REFERENCES "public"."analyses"("org_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "portals_id" ON "portals" USING btree ("org_id","id");--> statement-breakpoint
CREATE INDEX "portals_project" ON "portals" USING btree ("org_id","project_id");--> statement-breakpoint
CREATE INDEX "portals_created" ON "portals" USING btree ("org_id","created_at","id");--> statement-breakpoint
CREATE INDEX "portals_reconciled" ON "portals" USING btree ("reconciled_at" NULLS FIRST,"member_id");--> statement-breakpoint
CREATE INDEX "crm_calls_created" ON "crm_calls" USING btree ("org_id","created_at","call_id");--> statement-breakpoint
CREATE INDEX "crm_calls_status" ON "crm_calls" USING btree ("org_id","status","created_at","call_id");--> statement-breakpoint
CREATE INDEX "crm_calls_portal" ON "crm_calls" USING btree ("org_id","portal_id","created_at","call_id");--> statement-breakpoint
CREATE INDEX "crm_calls_record" ON "crm_calls" USING btree ("org_id","record_id") WHERE record_id is not null;--> statement-breakpoint
CREATE INDEX "crm_reports_record" ON "crm_reports" USING btree ("org_id","record_id","kind");
--> statement-breakpoint
SELECT protect_tenant_table(t::regclass) FROM unnest(ARRAY['crm_calls', 'crm_reports']) AS t;
--> statement-breakpoint
-- Portals speak before an organization is known: their tokens are out of reach of every request.
SELECT open_to_system('portal_installations'::regclass);
