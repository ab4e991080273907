CREATE TABLE "muted_recordings" (
	"org_id" text NOT NULL,
	"record_id" text NOT NULL,
	"storage_key" text,
	"size_bytes" bigint,
	"sha256" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "muted_recordings_org_id_record_id_pk" PRIMARY KEY("org_id","record_id")
);
--> statement-breakpoint
ALTER TABLE "transcripts" ADD COLUMN "redactions" jsonb;--> statement-breakpoint
ALTER TABLE "muted_recordings" ADD CONSTRAINT "muted_recordings_org_id_record_id_records_org_id_id_fk" FOREIGN KEY ("org_id","record_id") REFERENCES "public"."records"("org_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
SELECT protect_tenant_table('muted_recordings');
