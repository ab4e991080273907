CREATE TABLE "model_answers" (
	"org_id" text NOT NULL,
	"record_id" text NOT NULL,
	"digest" text NOT NULL,
	"answers" jsonb NOT NULL,
	"input_tokens" integer NOT NULL,
	"output_tokens" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "model_answers_org_id_record_id_digest_pk" PRIMARY KEY("org_id","record_id","digest")
);
--> statement-breakpoint
ALTER TABLE "analyses" ADD COLUMN "engine_fallback" jsonb;--> statement-breakpoint
ALTER TABLE "analyses" ADD COLUMN "input_tokens" integer;--> statement-breakpoint
ALTER TABLE "analyses" ADD COLUMN "output_tokens" integer;--> statement-breakpoint
ALTER TABLE "analyses" ADD COLUMN "model_cost" numeric(18, 4);--> statement-breakpoint
ALTER TABLE "model_answers" ADD CONSTRAINT "model_answers_org_id_record_id_records_org_id_id_fk" FOREIGN KEY ("org_id","record_id") REFERENCES "public"."records"("org_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
SELECT protect_tenant_table('model_answers');
