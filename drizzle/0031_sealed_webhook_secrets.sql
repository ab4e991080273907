ALTER TABLE "webhooks" ADD COLUMN "sealed_by" text;
--> statement-breakpoint
-- Which secrets are to be sealed anew, in all organizations: whose they are and with which key, and no secret.
CREATE POLICY system_read ON webhooks FOR SELECT TO earshot_system USING (true);
--> statement-breakpoint
GRANT SELECT (org_id, id, sealed_by) ON webhooks TO earshot_system;
