CREATE TABLE "identity_matches" (
	"id" text PRIMARY KEY NOT NULL,
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"user_id" text NOT NULL,
	"email" text NOT NULL,
	"name" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"refused_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "identity_matches" ADD CONSTRAINT "identity_matches_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity_matches" ADD CONSTRAINT "identity_matches_issuer_subject_identities_issuer_subject_fk" FOREIGN KEY ("issuer","subject") REFERENCES "public"."identities"("issuer","subject") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "identity_matches_subject" ON "identity_matches" USING btree ("issuer","subject");--> statement-breakpoint
CREATE INDEX "identity_matches_user" ON "identity_matches" USING btree ("user_id");
--> statement-breakpoint
-- They belong to people, not to an organization: no request of one reads them.
SELECT open_to_system('identity_matches'::regclass);
