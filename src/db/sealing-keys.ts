import type { TransactionSql } from 'postgres';

/** Names of the keys that secrets in this database are sealed with. Empty if nothing is sealed yet. */
export async function readSealingKeys(tx: TransactionSql): Promise<string[]> {
  const [known] = await tx<{ webhooks: boolean; portals: boolean; totp: boolean }[]>`
    select exists (select from pg_attribute where attrelid = to_regclass('public.webhooks') and attname = 'sealed_by') as webhooks,
           to_regclass('public.portal_installations') is not null as portals,
           to_regclass('public.totp_secrets') is not null as totp`;
  await tx`select set_config('role', 'earshot_system', true)`;
  const ofWebhooks = known?.webhooks
    ? await tx<{ name: string }[]>`select distinct sealed_by as name from webhooks where sealed_by is not null`
    : [];
  const ofPortals = known?.portals
    ? await tx<{ name: string }[]>`
        select distinct split_part(token, '.', 2) as name
          from portal_installations cross join unnest(array[access_token, refresh_token]) token where token is not null`
    : [];
  const ofTotp = known?.totp
    ? await tx<{ name: string }[]>`select distinct split_part(secret, '.', 2) as name from totp_secrets`
    : [];
  await tx`select set_config('role', 'none', true)`;
  return [...new Set([...ofWebhooks, ...ofPortals, ...ofTotp].map(({ name }) => name))].sort();
}
