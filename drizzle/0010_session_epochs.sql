-- A session that has ended is a change of a credential, like a token that was revoked (0007_credential_epochs.sql).
CREATE TRIGGER sessions_gone AFTER DELETE ON sessions FOR EACH ROW EXECUTE FUNCTION begin_credential_epoch();
