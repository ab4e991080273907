CREATE TABLE "waveforms" (
	"org_id" text NOT NULL,
	"record_id" text NOT NULL,
	"duration_ms" integer NOT NULL,
	"points" integer NOT NULL,
	"channels" integer[] NOT NULL,
	"levels" "bytea",
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "waveforms_org_id_record_id_pk" PRIMARY KEY("org_id","record_id")
);
--> statement-breakpoint
ALTER TABLE "waveforms" ADD CONSTRAINT "waveforms_org_id_record_id_records_org_id_id_fk" FOREIGN KEY ("org_id","record_id") REFERENCES "public"."records"("org_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
SELECT protect_tenant_table('waveforms');
