DROP INDEX "analyses_created";--> statement-breakpoint
DROP INDEX "analyses_project_created";--> statement-breakpoint
DROP INDEX "analyses_score_asc";--> statement-breakpoint
DROP INDEX "analyses_score_desc";--> statement-breakpoint
CREATE INDEX "analyses_created" ON "analyses" USING btree ("org_id","created_at","id");--> statement-breakpoint
CREATE INDEX "analyses_project_created" ON "analyses" USING btree ("org_id","project_id","created_at","id","current");--> statement-breakpoint
CREATE INDEX "analyses_score_asc" ON "analyses" USING btree ("org_id","quality_score","id");--> statement-breakpoint
CREATE INDEX "analyses_score_desc" ON "analyses" USING btree ("org_id","quality_score" DESC NULLS LAST,"id" DESC NULLS LAST);