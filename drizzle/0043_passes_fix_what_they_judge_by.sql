ALTER TABLE "records" ADD COLUMN "pass_profile_id" text;--> statement-breakpoint
ALTER TABLE "records" ADD COLUMN "pass_profile_version" integer;--> statement-breakpoint
ALTER TABLE "records" ADD COLUMN "pass_transcript_version" integer;--> statement-breakpoint
ALTER TABLE "records" ADD CONSTRAINT "records_pass_profile_fk" FOREIGN KEY ("org_id","pass_profile_id","pass_profile_version") REFERENCES "public"."profile_versions"("org_id","profile_id","version") ON DELETE no action ON UPDATE no action;