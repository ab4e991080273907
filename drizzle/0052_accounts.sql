CREATE TABLE "account_events" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text,
	"type" text NOT NULL,
	"client" text,
	"device" text,
	"details" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "account_links" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"user_id" text,
	"invite_id" text,
	"is_mailed" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "accounts" (
	"user_id" text PRIMARY KEY NOT NULL,
	"address" text NOT NULL,
	"password_hash" text,
	"password_changed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "provider_entries" (
	"model" text NOT NULL,
	"hash" "bytea" NOT NULL,
	"payload" jsonb NOT NULL,
	"uid" text,
	"grant_id" text,
	"account_id" text,
	"expires_at" timestamp (3) with time zone,
	CONSTRAINT "provider_entries_model_hash_pk" PRIMARY KEY("model","hash")
);
--> statement-breakpoint
CREATE TABLE "provider_keys" (
	"name" text PRIMARY KEY NOT NULL,
	"sealed" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_in_attempts" (
	"key" "bytea" PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_ins" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"device" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "account_links" ADD CONSTRAINT "account_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_ins" ADD CONSTRAINT "sign_ins_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_events_user" ON "account_events" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "account_events_created" ON "account_events" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "account_links_user" ON "account_links" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "account_links_invite" ON "account_links" USING btree ("invite_id");--> statement-breakpoint
CREATE INDEX "account_links_expiry" ON "account_links" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_address" ON "accounts" USING btree ("address");--> statement-breakpoint
CREATE INDEX "provider_entries_uid" ON "provider_entries" USING btree ("uid");--> statement-breakpoint
CREATE INDEX "provider_entries_grant" ON "provider_entries" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "provider_entries_account" ON "provider_entries" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "provider_entries_expiry" ON "provider_entries" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sign_in_attempts_last" ON "sign_in_attempts" USING btree ("last_at");--> statement-breakpoint
CREATE INDEX "sign_ins_user" ON "sign_ins" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "sign_ins_expiry" ON "sign_ins" USING btree ("expires_at");
--> statement-breakpoint
-- Accounts belong to people, not to organizations: requests inside an organization see none of this.
SELECT open_to_system(t::regclass)
  FROM unnest(ARRAY['accounts', 'account_links', 'sign_in_attempts', 'sign_ins', 'account_events', 'provider_entries',
                    'provider_keys']) AS t;
--> statement-breakpoint
-- A sign-in that has ended is a change of a credential in all organizations of the person.
CREATE FUNCTION begin_credential_epoch_of_sign_in() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE orgs SET credential_epoch = credential_epoch + 1
   WHERE id IN (SELECT org_id FROM memberships WHERE user_id = OLD.user_id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER sign_ins_gone AFTER DELETE ON sign_ins FOR EACH ROW EXECUTE FUNCTION begin_credential_epoch_of_sign_in();
