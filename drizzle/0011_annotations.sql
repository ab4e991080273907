CREATE TABLE "annotations" (
	"org_id" text NOT NULL,
	"id" text NOT NULL,
	"analysis_id" text NOT NULL,
	"text" text NOT NULL,
	"type" text NOT NULL,
	"segment_id" text,
	"start_ms" integer,
	"end_ms" integer,
	"category" text,
	"author_id" text NOT NULL,
	"author_name" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "annotations_org_id_id_pk" PRIMARY KEY("org_id","id")
);
--> statement-breakpoint
ALTER TABLE "annotations" ADD CONSTRAINT "annotations_org_id_analysis_id_analyses_org_id_id_fk" FOREIGN KEY ("org_id","analysis_id") REFERENCES "public"."analyses"("org_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "annotations_analysis" ON "annotations" USING btree ("org_id","analysis_id","created_at","id");--> statement-breakpoint
SELECT protect_tenant_table('annotations');
