import type { Actor } from '../auth/principal.ts';
import type { Database } from '../db/scope.ts';

/** What every verb of a service takes first: where to read and write, and on whose behalf. */
export type OrgContext = { db: Database; actor: Actor };
