CREATE INDEX "crm_calls_settled" ON "crm_calls" USING btree ("updated_at") WHERE status <> 'waiting';--> statement-breakpoint
-- Retention removes calls of portals that were settled long ago, in all organizations. It sees no others.
CREATE POLICY system_read_old ON crm_calls FOR SELECT TO earshot_system
  USING (status <> 'waiting' AND updated_at < now() - interval '90 days');
--> statement-breakpoint
CREATE POLICY system_remove_old ON crm_calls FOR DELETE TO earshot_system
  USING (status <> 'waiting' AND updated_at < now() - interval '90 days');
--> statement-breakpoint
GRANT SELECT (org_id, member_id, call_id, status, updated_at), DELETE ON crm_calls TO earshot_system;
