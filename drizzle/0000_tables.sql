CREATE TABLE "analyses" (
	"org_id" text NOT NULL,
	"id" text NOT NULL,
	"record_id" text NOT NULL,
	"project_id" text NOT NULL,
	"version" integer NOT NULL,
	"current" boolean DEFAULT false NOT NULL,
	"status" text NOT NULL,
	"failure" jsonb,
	"profile_id" text NOT NULL,
	"profile_version" integer NOT NULL,
	"profile_name" text NOT NULL,
	"engine_kind" text NOT NULL,
	"engine_model" text,
	"transcript_version" integer,
	"quality_score" integer,
	"summary" text DEFAULT '' NOT NULL,
	"improvements" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"compliance_status" text,
	"categories" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"checks" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"compliance_findings" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"metrics" jsonb,
	"topics" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"action_items" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"completed_at" timestamp (3) with time zone,
	CONSTRAINT "analyses_org_id_id_pk" PRIMARY KEY("org_id","id")
);
--> statement-breakpoint
CREATE TABLE "api_tokens" (
	"org_id" text NOT NULL,
	"id" text NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"hash" "bytea" NOT NULL,
	"start" text NOT NULL,
	"last_four" text NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "api_tokens_org_id_id_pk" PRIMARY KEY("org_id","id")
);
--> statement-breakpoint
CREATE TABLE "memberships" (
	"org_id" text NOT NULL,
	"user_id" text NOT NULL,
	"role" text NOT NULL,
	"project_ids" text[],
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "memberships_org_id_user_id_pk" PRIMARY KEY("org_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "orgs" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" text PRIMARY KEY NOT NULL,
	"org_id" text NOT NULL,
	"type" text NOT NULL,
	"data" jsonb NOT NULL,
	"dedupe_key" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"dispatched_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "profile_versions" (
	"org_id" text NOT NULL,
	"profile_id" text NOT NULL,
	"version" integer NOT NULL,
	"rubric" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "profile_versions_org_id_profile_id_version_pk" PRIMARY KEY("org_id","profile_id","version")
);
--> statement-breakpoint
CREATE TABLE "profiles" (
	"org_id" text NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"current_version" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "profiles_org_id_id_pk" PRIMARY KEY("org_id","id")
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"org_id" text NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"language" text,
	"profile_id" text NOT NULL,
	"redact_pii" boolean DEFAULT false NOT NULL,
	"retention_days" integer,
	"channel_map" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "projects_org_id_id_pk" PRIMARY KEY("org_id","id")
);
--> statement-breakpoint
CREATE TABLE "record_days" (
	"org_id" text NOT NULL,
	"project_id" text NOT NULL,
	"day" date NOT NULL,
	"pending" bigint DEFAULT 0 NOT NULL,
	"processing" bigint DEFAULT 0 NOT NULL,
	"completed" bigint DEFAULT 0 NOT NULL,
	"failed" bigint DEFAULT 0 NOT NULL,
	"duration_sum" numeric DEFAULT '0' NOT NULL,
	"duration_count" bigint DEFAULT 0 NOT NULL,
	"score_sum" numeric DEFAULT '0' NOT NULL,
	"score_count" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "record_days_org_id_project_id_day_pk" PRIMARY KEY("org_id","project_id","day")
);
--> statement-breakpoint
CREATE TABLE "records" (
	"org_id" text NOT NULL,
	"id" text NOT NULL,
	"project_id" text NOT NULL,
	"type" text DEFAULT 'call' NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"stage" text,
	"failure" jsonb,
	"attempt" integer DEFAULT 1 NOT NULL,
	"source" text NOT NULL,
	"external_id" text,
	"direction" text,
	"agent_name" text,
	"agent_user_id" text,
	"customer_phone" text,
	"started_at" timestamp (3) with time zone,
	"duration_seconds" integer,
	"language" text,
	"channels" integer,
	"channel_map" jsonb,
	"file_name" text,
	"file_size_bytes" bigint,
	"file_content_type" text,
	"file_sha256" text,
	"storage_key" text,
	"recording_url" text,
	"crm" jsonb,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"uploaded_by" text,
	"analysis_id" text,
	"quality_score" integer,
	"compliance_status" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"completed_at" timestamp (3) with time zone,
	CONSTRAINT "records_org_id_id_pk" PRIMARY KEY("org_id","id")
);
--> statement-breakpoint
CREATE TABLE "transcripts" (
	"org_id" text NOT NULL,
	"record_id" text NOT NULL,
	"version" integer NOT NULL,
	"language" text,
	"source" text NOT NULL,
	"model" text,
	"channels" integer NOT NULL,
	"duration_ms" integer,
	"speakers" jsonb NOT NULL,
	"segments" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "transcripts_org_id_record_id_version_pk" PRIMARY KEY("org_id","record_id","version")
);
--> statement-breakpoint
CREATE TABLE "uploads" (
	"org_id" text NOT NULL,
	"storage_key" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "uploads_org_id_storage_key_pk" PRIMARY KEY("org_id","storage_key")
);
--> statement-breakpoint
ALTER TABLE "analyses" ADD CONSTRAINT "analyses_org_id_record_id_records_org_id_id_fk" FOREIGN KEY ("org_id","record_id") REFERENCES "public"."records"("org_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "analyses" ADD CONSTRAINT "analyses_org_id_profile_id_profile_version_profile_versions_org_id_profile_id_version_fk" FOREIGN KEY ("org_id","profile_id","profile_version") REFERENCES "public"."profile_versions"("org_id","profile_id","version") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_org_id_user_id_memberships_org_id_user_id_fk" FOREIGN KEY ("org_id","user_id") REFERENCES "public"."memberships"("org_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_org_id_orgs_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."orgs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "profile_versions" ADD CONSTRAINT "profile_versions_org_id_profile_id_profiles_org_id_id_fk" FOREIGN KEY ("org_id","profile_id") REFERENCES "public"."profiles"("org_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "profiles" ADD CONSTRAINT "profiles_org_id_orgs_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."orgs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_org_id_orgs_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."orgs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_org_id_profile_id_profiles_org_id_id_fk" FOREIGN KEY ("org_id","profile_id") REFERENCES "public"."profiles"("org_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "record_days" ADD CONSTRAINT "record_days_org_id_project_id_projects_org_id_id_fk" FOREIGN KEY ("org_id","project_id") REFERENCES "public"."projects"("org_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "records" ADD CONSTRAINT "records_org_id_project_id_projects_org_id_id_fk" FOREIGN KEY ("org_id","project_id") REFERENCES "public"."projects"("org_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transcripts" ADD CONSTRAINT "transcripts_org_id_record_id_records_org_id_id_fk" FOREIGN KEY ("org_id","record_id") REFERENCES "public"."records"("org_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "analyses_version" ON "analyses" USING btree ("org_id","record_id","version");--> statement-breakpoint
CREATE UNIQUE INDEX "analyses_current" ON "analyses" USING btree ("org_id","record_id") WHERE current;--> statement-breakpoint
CREATE INDEX "analyses_created" ON "analyses" USING btree ("org_id","created_at","id") WHERE current;--> statement-breakpoint
CREATE INDEX "analyses_project_created" ON "analyses" USING btree ("org_id","project_id","created_at","id") WHERE current;--> statement-breakpoint
CREATE INDEX "analyses_score_asc" ON "analyses" USING btree ("org_id","quality_score","id") WHERE current;--> statement-breakpoint
CREATE INDEX "analyses_score_desc" ON "analyses" USING btree ("org_id","quality_score" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE current;--> statement-breakpoint
CREATE UNIQUE INDEX "api_tokens_hash" ON "api_tokens" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "api_tokens_user" ON "api_tokens" USING btree ("org_id","user_id","created_at");--> statement-breakpoint
CREATE INDEX "memberships_user" ON "memberships" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree (lower("email"));--> statement-breakpoint
CREATE UNIQUE INDEX "outbox_dedupe" ON "outbox" USING btree ("org_id","dedupe_key");--> statement-breakpoint
CREATE INDEX "outbox_waiting" ON "outbox" USING btree ("id") WHERE dispatched_at is null;--> statement-breakpoint
CREATE INDEX "outbox_org" ON "outbox" USING btree ("org_id","type","id");--> statement-breakpoint
CREATE UNIQUE INDEX "profiles_name" ON "profiles" USING btree ("org_id",lower("name")) WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "profiles_created" ON "profiles" USING btree ("org_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "projects_name" ON "projects" USING btree ("org_id",lower("name"));--> statement-breakpoint
CREATE INDEX "projects_created" ON "projects" USING btree ("org_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "records_external" ON "records" USING btree ("org_id","source","external_id") WHERE external_id is not null and source <> 'upload';--> statement-breakpoint
CREATE INDEX "records_created" ON "records" USING btree ("org_id","created_at","id");--> statement-breakpoint
CREATE INDEX "records_project_created" ON "records" USING btree ("org_id","project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "records_status_created" ON "records" USING btree ("org_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "records_duration_asc" ON "records" USING btree ("org_id","duration_seconds","id");--> statement-breakpoint
CREATE INDEX "records_duration_desc" ON "records" USING btree ("org_id","duration_seconds" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "records_score_asc" ON "records" USING btree ("org_id","quality_score","id");--> statement-breakpoint
CREATE INDEX "records_score_desc" ON "records" USING btree ("org_id","quality_score" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "records_uploader" ON "records" USING btree ("org_id","uploaded_by","created_at");--> statement-breakpoint
CREATE INDEX "records_agent" ON "records" USING btree ("org_id","agent_user_id","created_at");--> statement-breakpoint
CREATE INDEX "records_unfinished" ON "records" USING btree ("updated_at") WHERE status in ('pending', 'processing');--> statement-breakpoint
CREATE INDEX "uploads_created" ON "uploads" USING btree ("created_at");