-- The wall between organizations. The service works under two roles that cannot bypass row-level security:
--   earshot_app     inside one organization (app.org_id), the role of every request and pipeline step
--   earshot_system  across organizations, for the few tables that authentication and the pipeline engine need
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'earshot_app') THEN
    BEGIN CREATE ROLE earshot_app NOLOGIN NOBYPASSRLS; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'earshot_system') THEN
    BEGIN CREATE ROLE earshot_system NOLOGIN NOBYPASSRLS; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END;
  END IF;
  IF NOT pg_has_role(current_user, 'earshot_app', 'MEMBER') THEN GRANT earshot_app TO CURRENT_USER; END IF;
  IF NOT pg_has_role(current_user, 'earshot_system', 'MEMBER') THEN GRANT earshot_system TO CURRENT_USER; END IF;
END $$;
--> statement-breakpoint
-- A query outside an organization scope compares with null and finds nothing.
CREATE FUNCTION current_org_id() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT NULLIF(current_setting('app.org_id', true), '') $$;
--> statement-breakpoint
CREATE FUNCTION protect_tenant_table(target regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  EXECUTE format('CREATE POLICY org_isolation ON %s TO earshot_app USING (org_id = current_org_id()) WITH CHECK (org_id = current_org_id())', target);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO earshot_app', target);
END $$;
--> statement-breakpoint
CREATE FUNCTION open_to_system(target regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  EXECUTE format('CREATE POLICY system_access ON %s TO earshot_system USING (true) WITH CHECK (true)', target);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO earshot_system', target);
END $$;
--> statement-breakpoint
SELECT protect_tenant_table(t::regclass)
  FROM unnest(ARRAY['memberships', 'api_tokens', 'profiles', 'profile_versions', 'projects', 'records', 'uploads',
                    'record_days', 'transcripts', 'analyses', 'outbox']) AS t;
--> statement-breakpoint
SELECT open_to_system(t::regclass) FROM unnest(ARRAY['orgs', 'users', 'memberships', 'api_tokens', 'uploads', 'outbox']) AS t;
--> statement-breakpoint
-- The sweeper looks for stuck records across organizations and changes them inside their own.
CREATE POLICY system_read ON records FOR SELECT TO earshot_system USING (true);
--> statement-breakpoint
GRANT SELECT ON records TO earshot_system;
--> statement-breakpoint
CREATE POLICY own_org ON orgs TO earshot_app USING (id = current_org_id()) WITH CHECK (id = current_org_id());
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE ON orgs TO earshot_app;
--> statement-breakpoint
CREATE POLICY fellow_members ON users FOR SELECT TO earshot_app
  USING (EXISTS (SELECT FROM memberships m WHERE m.user_id = users.id AND m.org_id = current_org_id()));
--> statement-breakpoint
GRANT SELECT ON users TO earshot_app;
