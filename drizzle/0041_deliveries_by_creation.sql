DROP INDEX "webhook_deliveries_webhook";--> statement-breakpoint
DROP INDEX "webhook_deliveries_status";--> statement-breakpoint
CREATE INDEX "webhook_deliveries_created" ON "webhook_deliveries" USING btree ("org_id","webhook_id","created_at","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_status_created" ON "webhook_deliveries" USING btree ("org_id","webhook_id","status","created_at","id");