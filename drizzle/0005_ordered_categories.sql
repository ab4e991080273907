ALTER TABLE "analyses" ALTER COLUMN "categories" SET DATA TYPE json;--> statement-breakpoint
ALTER TABLE "analyses" ALTER COLUMN "categories" SET DEFAULT '{}'::json;