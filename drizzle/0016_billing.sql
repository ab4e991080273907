CREATE TABLE "budgets" (
	"org_id" text PRIMARY KEY NOT NULL,
	"budget_limit" numeric(18, 4),
	"period" text NOT NULL,
	"used" numeric(18, 4) DEFAULT '0' NOT NULL,
	"reserved" numeric(18, 4) DEFAULT '0' NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "budgets_limit" CHECK (budget_limit >= 0)
);
--> statement-breakpoint
CREATE TABLE "credit_entries" (
	"org_id" text NOT NULL,
	"id" text NOT NULL,
	"type" text NOT NULL,
	"amount" numeric(18, 4) NOT NULL,
	"description" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "credit_entries_org_id_id_pk" PRIMARY KEY("org_id","id")
);
--> statement-breakpoint
CREATE TABLE "usage_days" (
	"org_id" text NOT NULL,
	"project_id" text NOT NULL,
	"day" date NOT NULL,
	"records" bigint NOT NULL,
	"minutes" numeric(18, 1) NOT NULL,
	"transcription_cost" numeric(18, 4) NOT NULL,
	"analysis_cost" numeric(18, 4) NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "usage_days_org_id_day_project_id_pk" PRIMARY KEY("org_id","day","project_id")
);
--> statement-breakpoint
CREATE TABLE "usage_entries" (
	"org_id" text NOT NULL,
	"key" text NOT NULL,
	"record_id" text NOT NULL,
	"project_id" text NOT NULL,
	"day" date NOT NULL,
	"records" integer NOT NULL,
	"minutes" numeric(12, 1) NOT NULL,
	"transcription_cost" numeric(18, 4) NOT NULL,
	"analysis_cost" numeric(18, 4) NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "usage_entries_org_id_key_pk" PRIMARY KEY("org_id","key")
);
--> statement-breakpoint
ALTER TABLE "analyses" ADD COLUMN "reserved_cost" numeric(18, 4);--> statement-breakpoint
ALTER TABLE "records" ADD COLUMN "reserved_cost" numeric(18, 4);--> statement-breakpoint
ALTER TABLE "budgets" ADD CONSTRAINT "budgets_org_id_orgs_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."orgs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_entries" ADD CONSTRAINT "credit_entries_org_id_orgs_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."orgs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "credit_entries_created" ON "credit_entries" USING btree ("org_id","created_at","id");--> statement-breakpoint
SELECT protect_tenant_table(t::regclass) FROM unnest(ARRAY['usage_entries', 'usage_days', 'credit_entries', 'budgets']) AS t;
--> statement-breakpoint
-- Small and often rewritten: room on each page keeps the updates inside it.
ALTER TABLE usage_days SET (fillfactor = 50);
--> statement-breakpoint
ALTER TABLE budgets SET (fillfactor = 20);
--> statement-breakpoint
-- Months of UTC, by the clock of the database: instances need not agree on the time.
CREATE FUNCTION billing_period() RETURNS text LANGUAGE sql STABLE
  AS $$ SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM') $$;
