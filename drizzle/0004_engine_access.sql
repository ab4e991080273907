-- The pipeline engine works across organizations; no request ever reads its tables.
SELECT open_to_system(t::regclass) FROM unnest(ARRAY['engine_runs', 'engine_steps', 'engine_queue', 'engine_waits']) AS t;
--> statement-breakpoint
-- Small and often rewritten: room on each page keeps the updates inside it, and dead rows are cleared early.
ALTER TABLE engine_queue SET (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
--> statement-breakpoint
ALTER TABLE engine_runs SET (fillfactor = 80);
--> statement-breakpoint
-- Wakes the drainer when the transaction that wrote the events commits; transactions that write none pay nothing.
CREATE FUNCTION announce_outbox() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('earshot_outbox', '');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER outbox_announce AFTER INSERT ON outbox FOR EACH STATEMENT EXECUTE FUNCTION announce_outbox();
