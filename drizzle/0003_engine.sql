CREATE TABLE "engine_queue" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "engine_queue_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"run_id" text NOT NULL,
	"step_id" text NOT NULL,
	"function_id" text NOT NULL,
	"lane" text NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"is_race" boolean DEFAULT false NOT NULL,
	"is_again" boolean DEFAULT false NOT NULL,
	"available_at" timestamp with time zone DEFAULT now() NOT NULL,
	"owner" integer,
	"locked_until" timestamp with time zone,
	"deliveries" integer DEFAULT 0 NOT NULL,
	"losses" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "engine_runs" (
	"id" text PRIMARY KEY NOT NULL,
	"function_id" text NOT NULL,
	"event_id" text NOT NULL,
	"event" jsonb NOT NULL,
	"idempotency_key" text,
	"lane" text NOT NULL,
	"status" text DEFAULT 'running' NOT NULL,
	"output" jsonb,
	"error" jsonb,
	"failures" integer DEFAULT 0 NOT NULL,
	"parent_run_id" text,
	"parent_step_id" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "engine_steps" (
	"run_id" text NOT NULL,
	"step_id" text NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "engine_steps_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text,
	"data" jsonb,
	"error" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "engine_steps_run_id_step_id_pk" PRIMARY KEY("run_id","step_id")
);
--> statement-breakpoint
CREATE TABLE "engine_waits" (
	"run_id" text NOT NULL,
	"step_id" text NOT NULL,
	"kind" text NOT NULL,
	"event_name" text,
	"expression" text,
	"is_race" boolean DEFAULT false NOT NULL,
	"wake_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "engine_waits_run_id_step_id_pk" PRIMARY KEY("run_id","step_id")
);
--> statement-breakpoint
ALTER TABLE "engine_queue" ADD CONSTRAINT "engine_queue_run_id_engine_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."engine_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine_steps" ADD CONSTRAINT "engine_steps_run_id_engine_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."engine_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine_waits" ADD CONSTRAINT "engine_waits_run_id_engine_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."engine_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "engine_queue_step" ON "engine_queue" USING btree ("run_id","step_id");--> statement-breakpoint
CREATE INDEX "engine_queue_lane" ON "engine_queue" USING btree ("lane","available_at","id") WHERE owner is null;--> statement-breakpoint
CREATE INDEX "engine_queue_due" ON "engine_queue" USING btree ("available_at") WHERE owner is null;--> statement-breakpoint
CREATE INDEX "engine_queue_leased" ON "engine_queue" USING btree ("owner") WHERE owner is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "engine_runs_event" ON "engine_runs" USING btree ("function_id","event_id");--> statement-breakpoint
CREATE UNIQUE INDEX "engine_runs_idempotency" ON "engine_runs" USING btree ("function_id","idempotency_key") WHERE idempotency_key is not null;--> statement-breakpoint
CREATE INDEX "engine_runs_running" ON "engine_runs" USING btree ("function_id") WHERE status = 'running';--> statement-breakpoint
CREATE INDEX "engine_runs_ended" ON "engine_runs" USING btree ("ended_at") WHERE ended_at is not null;--> statement-breakpoint
CREATE INDEX "engine_runs_failed" ON "engine_runs" USING btree ("ended_at") WHERE status = 'failed';--> statement-breakpoint
CREATE INDEX "engine_waits_wake" ON "engine_waits" USING btree ("wake_at");--> statement-breakpoint
CREATE INDEX "engine_waits_event" ON "engine_waits" USING btree ("event_name") WHERE kind = 'event';