-- Counts what may change the meaning of a credential in an organization. Whoever remembers a credential compares the count
-- when it enters the organization's scope, so a memory never outlives a revocation, on whichever instance it lies.
ALTER TABLE orgs ADD COLUMN credential_epoch bigint NOT NULL DEFAULT 0;
--> statement-breakpoint
CREATE FUNCTION begin_credential_epoch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE orgs SET credential_epoch = credential_epoch + 1 WHERE id = OLD.org_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION begin_credential_epoch_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE orgs SET credential_epoch = credential_epoch + 1
   WHERE id IN (SELECT org_id FROM memberships WHERE user_id = OLD.id);
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Using a token is no change of it.
CREATE TRIGGER api_tokens_epoch AFTER UPDATE ON api_tokens FOR EACH ROW
  WHEN ((OLD.hash, OLD.user_id, OLD.revoked_at, OLD.expires_at) IS DISTINCT FROM (NEW.hash, NEW.user_id, NEW.revoked_at, NEW.expires_at))
  EXECUTE FUNCTION begin_credential_epoch();
--> statement-breakpoint
CREATE TRIGGER api_tokens_gone AFTER DELETE ON api_tokens FOR EACH ROW EXECUTE FUNCTION begin_credential_epoch();
--> statement-breakpoint
CREATE TRIGGER memberships_epoch AFTER UPDATE OR DELETE ON memberships FOR EACH ROW EXECUTE FUNCTION begin_credential_epoch();
--> statement-breakpoint
CREATE TRIGGER users_epoch AFTER UPDATE ON users FOR EACH ROW
  WHEN ((OLD.email, OLD.name) IS DISTINCT FROM (NEW.email, NEW.name))
  EXECUTE FUNCTION begin_credential_epoch_of_user();
