CREATE TABLE "review_entries" (
	"org_id" text NOT NULL,
	"review_id" text NOT NULL,
	"position" integer NOT NULL,
	"kind" text NOT NULL,
	"revision" integer NOT NULL,
	"verdict" text,
	"outcome" text,
	"comment" text,
	"final" json,
	"author_id" text NOT NULL,
	"author_name" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "review_entries_org_id_review_id_position_pk" PRIMARY KEY("org_id","review_id","position")
);
--> statement-breakpoint
CREATE TABLE "reviews" (
	"org_id" text NOT NULL,
	"id" text NOT NULL,
	"analysis_id" text NOT NULL,
	"revision" integer NOT NULL,
	"status" text NOT NULL,
	"verdict" text NOT NULL,
	"comment" text,
	"reviewer_id" text NOT NULL,
	"reviewer_name" text NOT NULL,
	"dispute" jsonb,
	"resolution" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "reviews_org_id_id_pk" PRIMARY KEY("org_id","id")
);
--> statement-breakpoint
DROP INDEX "analyses_score_asc";--> statement-breakpoint
DROP INDEX "analyses_score_desc";--> statement-breakpoint
ALTER TABLE "analyses" ADD COLUMN "reviewed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "analyses" ADD COLUMN "final_quality_score" integer;--> statement-breakpoint
ALTER TABLE "analyses" ADD COLUMN "final_compliance_status" text;--> statement-breakpoint
ALTER TABLE "analyses" ADD COLUMN "final_categories" json;--> statement-breakpoint
ALTER TABLE "analyses" ADD COLUMN "shown_quality_score" integer GENERATED ALWAYS AS (case when reviewed then final_quality_score else quality_score end) STORED;--> statement-breakpoint
ALTER TABLE "analyses" ADD COLUMN "shown_compliance_status" text GENERATED ALWAYS AS (case when reviewed then final_compliance_status else compliance_status end) STORED;--> statement-breakpoint
ALTER TABLE "review_entries" ADD CONSTRAINT "review_entries_org_id_review_id_reviews_org_id_id_fk" FOREIGN KEY ("org_id","review_id") REFERENCES "public"."reviews"("org_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_org_id_analysis_id_analyses_org_id_id_fk" FOREIGN KEY ("org_id","analysis_id") REFERENCES "public"."analyses"("org_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "reviews_analysis" ON "reviews" USING btree ("org_id","analysis_id");--> statement-breakpoint
CREATE INDEX "analyses_reviewed_created" ON "analyses" USING btree ("org_id","reviewed","created_at","id","current");--> statement-breakpoint
CREATE INDEX "analyses_score_asc" ON "analyses" USING btree ("org_id","shown_quality_score","id");--> statement-breakpoint
CREATE INDEX "analyses_score_desc" ON "analyses" USING btree ("org_id","shown_quality_score" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
SELECT protect_tenant_table(t::regclass) FROM unnest(ARRAY['reviews', 'review_entries']) AS t;
