import type { TransactionSql } from 'postgres';
import { newId } from '../lib/ids.ts';

type Subject = { issuer: string; subject: string };

/** Who has an address that the provider has verified. */
export type AddressHolder = {
  id: string;
  /** Whether they have an account here, or have signed in at a provider: a further sign-in has to be confirmed. */
  hasBeenHere: boolean;
};

/**
 * Whoever has proved the address comes first. An account may have it without proof, made by a copied link: that is the person
 * if somebody confirms it.
 */
export async function findAddressHolder(
  tx: TransactionSql,
  { email, except = '' }: { email: string; except?: string },
): Promise<AddressHolder | undefined> {
  const [holder] = await tx<AddressHolder[]>`
    select u.id, a.user_id is not null or exists (select from identities i where i.user_id = u.id) as "hasBeenHere"
      from users u left join accounts a on a.user_id = u.id
     where ((lower(u.email) = lower(${email}) and u.email_verified) or a.address = lower(${email})) and u.id <> ${except}
     order by u.email_verified desc limit 1`;
  return holder;
}

/** From now on the subject waits for somebody to confirm that they are the person. */
export async function insertMatch(
  tx: TransactionSql,
  { issuer, subject }: Subject,
  { userId, email, name }: { userId: string; email: string; name: string | null },
): Promise<void> {
  await tx`
    insert into identity_matches (id, issuer, subject, user_id, email, name)
    values (${newId('match')}, ${issuer}, ${subject}, ${userId}, ${email}, ${name})
    on conflict (issuer, subject) do nothing`;
}
