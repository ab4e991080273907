ALTER TABLE "outbox" ADD COLUMN "traceparent" text;
