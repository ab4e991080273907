import type { Sql, TransactionSql } from 'postgres';
import { newId } from '../../lib/ids.ts';

export type AccountEventType =
  | 'sign_in'
  | 'sign_in.failed'
  | 'sign_in.ended'
  | 'password.set'
  | 'password.reset'
  | 'link.created'
  | 'link.used'
  | 'passkey.added'
  | 'passkey.removed'
  | 'totp.added'
  | 'totp.removed'
  | 'recovery_codes.created'
  | 'recovery_code.used'
  | 'match.confirmed'
  | 'match.refused'
  | 'second_factor.required'
  | 'second_factor.optional';

/** Who asks: for the audit log, and for counting attempts. */
export type Client = { address: string; userAgent: string | undefined };

export type AccountEvent = {
  type: AccountEventType;
  /** Null while nobody is known. */
  userId: string | null;
  /** Null for the operator's commands, and where no sign-in page is asked. */
  client: Client | null;
  /** Never a secret. */
  details?: Record<string, string>;
};

export async function writeAudit(
  sql: Sql | TransactionSql,
  { type, userId, client, details = {} }: AccountEvent,
): Promise<void> {
  const device = client === null ? null : deviceOf(client.userAgent);
  await sql`
    insert into account_events (id, user_id, type, client, device, details)
    values (${newId('accountEvent')}, ${userId}, ${type}, ${client?.address ?? null}, ${device}, ${sql.json(details)})`;
}

const browsers: [name: string, mark: RegExp][] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
];
const systems: [name: string, mark: RegExp][] = [
  ['iOS', /\b(?:iPhone|iPad)\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
];

/** `Firefox on Windows`, as people know their devices by. */
export function deviceOf(userAgent = ''): string {
  const browser = browsers.find(([, mark]) => mark.test(userAgent))?.[0] ?? 'Unknown browser';
  const system = systems.find(([, mark]) => mark.test(userAgent))?.[0];
  return system === undefined ? browser : `${browser} on ${system}`;
}
