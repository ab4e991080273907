CREATE TABLE "record_changes" (
	"org_id" text NOT NULL,
	"id" text NOT NULL,
	"record_id" text NOT NULL,
	"changes" jsonb NOT NULL,
	"author_id" text NOT NULL,
	"author_name" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "record_changes_org_id_id_pk" PRIMARY KEY("org_id","id")
);
--> statement-breakpoint
ALTER TABLE "records" ADD COLUMN "tags" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "record_changes" ADD CONSTRAINT "record_changes_org_id_record_id_records_org_id_id_fk" FOREIGN KEY ("org_id","record_id") REFERENCES "public"."records"("org_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "record_changes_created" ON "record_changes" USING btree ("org_id","record_id","created_at","id");--> statement-breakpoint
CREATE INDEX "records_external_id" ON "records" USING btree ("org_id","external_id","created_at","id") WHERE external_id is not null;
--> statement-breakpoint
SELECT protect_tenant_table('record_changes');
