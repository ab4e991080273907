-- Lanes are walked function by function.
CREATE INDEX "engine_queue_function" ON "engine_queue" USING btree ("function_id","lane","available_at","id") WHERE owner is null;
--> statement-breakpoint
DROP INDEX "engine_queue_lane";
