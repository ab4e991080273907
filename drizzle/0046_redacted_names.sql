ALTER TABLE "projects" ADD COLUMN "redact_names" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "transcripts" ADD COLUMN "names_redacted" boolean DEFAULT false NOT NULL;