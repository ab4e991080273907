-- Local applications have an id for each portal. What was installed before belongs to none that is known, and tells it
-- when an administrator opens the app again.
ALTER TABLE "portal_installations" ADD COLUMN "client_id" text DEFAULT '' NOT NULL;
