import type { Sql } from 'postgres';
import type { Database } from '../../db/scope.ts';
import type { Mailer } from '../../providers/mail/interface.ts';
import type { ProviderKeys } from './provider-store.ts';

/** What everything about accounts works with. */
export type AccountParts = {
  db: Database;
  /** Accounts span organizations. */
  system: Sql;
  keys: () => Promise<ProviderKeys>;
  mailer: Mailer;
  /** Whether mails leave this machine. */
  hasMail: boolean;
};
