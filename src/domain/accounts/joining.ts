import type { Sql, TransactionSql } from 'postgres';
import { z } from 'zod';
import { AppError } from '../../lib/errors.ts';
import { TypedMailAddress } from '../../lib/mailbox.ts';
import { createOrg } from '../onboarding/service.ts';
import { CreateOrgInput } from '../orgs/schemas.ts';
import { addressKey } from './address.ts';
import { writeAudit, type Client } from './audit.ts';
import type { AccountParts } from './context.ts';
import { createLink, findLink, spendLink, withdrawLinks, type Link } from './links.ts';
import { findPasswordFault } from './password-rules.ts';
import { checkPassword } from './password-sign-in.ts';
import { hashPassword } from './password.ts';
import * as queries from './queries.ts';

const hourMs = 3_600_000;
const PersonName = z.string().trim().min(1, 'Enter your name.').max(120, 'The name is too long.');

/** What a form lacks, in words for the person who fills it in. */
export type FormFault = { field: string; message: string };
export type Joined = { email: string; userId: string } | FormFault;

export type FirstOwnerForm = { name: string; email: string; organization: string; password: string };

/** A new link for the first owner, which replaces the last one; null once there is an owner. */
export async function offerFirstOwner(system: Sql): Promise<string | null> {
  if ((await queries.hasAccounts(system)) || (await queries.selectFirstOwner(system)) !== null) return null;
  await withdrawLinks(system, { kind: 'first-owner' });
  return createLink(system, { kind: 'first-owner', lifetimeMs: hourMs });
}

/** Makes the first owner and their organization. Throws NOT_FOUND for a link that no longer works. */
export async function makeFirstOwner(
  parts: AccountParts,
  { token, form, client }: { token: string; form: FirstOwnerForm; client: Client },
): Promise<Joined> {
  const { system } = parts;
  const email = TypedMailAddress.safeParse(form.email);
  if (!email.success) return { field: 'email', message: 'Enter your e-mail address.' };
  const name = PersonName.safeParse(form.name);
  if (!name.success) return { field: 'name', message: firstMessage(name.error) };
  const organization = CreateOrgInput.shape.name.safeParse(form.organization.trim());
  if (!organization.success) return { field: 'organization', message: 'Enter the name of your organization.' };
  const fault = findPasswordFault(form.password, { email: email.data, name: name.data });
  if (fault !== null) return { field: 'password', message: fault };
  if ((await findLink(system, token))?.kind !== 'first-owner') throw linkGone();
  const hash = await hashPassword(form.password);
  const owner = { email: email.data, name: name.data };
  const userId = await system.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended('first owner', 2))`;
    if ((await findLink(tx, token)) === null || (await queries.hasAccounts(tx))) throw linkGone();
    const id = await ownOrganization(parts, { ...owner, organization: organization.data });
    await spendLink(tx, token);
    await queries.upsertPassword(tx, { userId: id, email: owner.email, hash });
    await writeAudit(tx, { type: 'password.set', userId: id, client, details: { by: 'first-owner' } });
    return id;
  });
  return { email: owner.email, userId };
}

type NewOwner = { email: string; name: string; organization: string };

/** Of its own transaction: after a crash the link still works, and the organization is found. */
async function ownOrganization({ db, system }: AccountParts, { email, name, organization }: NewOwner): Promise<string> {
  const known = await queries.selectOwner(system, email.toLowerCase());
  if (known !== null) return known;
  const named = { name: organization, owner: email, ownerName: name, isNamedByOwner: true };
  const { userId } = await createOrg({ db, system }, named);
  return userId;
}

export type InviteForm = { name: string; password: string };

/** What the page behind a link to an invite has to ask for. */
export type InviteNeeds = 'password' | 'known-password' | 'sign-in' | 'operator';

export async function needsOfInvite(sql: Sql | TransactionSql, { email, isMailed }: Link): Promise<InviteNeeds> {
  const holder = await queries.selectHolder(sql, addressKey(email ?? ''));
  if (!holder) return 'password';
  if (holder.hasAccount) return holder.emailVerified ? 'sign-in' : 'known-password';
  // Whoever copied this link has proved nothing about the address.
  return isMailed ? 'password' : 'operator';
}

/** Accepts an invite with a new password, or with the one that its address has. Throws NOT_FOUND, FORBIDDEN. */
export async function acceptInvite(
  parts: AccountParts,
  { token, form, client }: { token: string; form: InviteForm; client: Client },
): Promise<Joined> {
  const { system } = parts;
  const link = await findLink(system, token);
  if (link?.kind !== 'invite' || link.email === null || link.inviteId === null) throw linkGone();
  const { email, inviteId, isMailed } = link;
  const needs = await needsOfInvite(system, link);
  if (needs === 'sign-in' || needs === 'operator') throw new AppError('FORBIDDEN', 'This link sets no password.');
  const name = PersonName.safeParse(form.name);
  if (needs === 'password' && !name.success) return { field: 'name', message: firstMessage(name.error) };
  const fault = needs === 'password' ? findPasswordFault(form.password, { email, name: form.name }) : null;
  if (fault !== null) return { field: 'password', message: fault };
  if (needs === 'known-password') {
    const { kind } = await checkPassword(parts, { email, password: form.password, client, device: undefined });
    if (kind === 'delayed') return { field: 'password', message: 'Too many attempts. Try again in a few minutes.' };
    if (kind === 'wrong') return { field: 'password', message: 'This is not the password of your account.' };
  }
  const hash = needs === 'password' ? await hashPassword(form.password) : null;
  return system.begin(async (tx) => {
    await queries.lockAddress(tx, addressKey(email));
    if (!(await spendLink(tx, token)) || (await needsOfInvite(tx, link)) !== needs) throw linkGone();
    const invite = await queries.takeInvite(tx, inviteId);
    if (!invite) throw linkGone();
    const holder = await queries.selectHolder(tx, addressKey(email));
    const userId =
      holder?.userId ?? (await queries.insertUser(tx, { email, name: form.name.trim(), isVerified: isMailed }));
    if (hash !== null) {
      if (holder) await queries.updateName(tx, userId, form.name.trim());
      await queries.upsertPassword(tx, { userId, email, hash });
      await writeAudit(tx, { type: 'password.set', userId, client, details: { by: 'invite' } });
    }
    if (isMailed) await queries.verifyAddress(tx, userId);
    await queries.joinOrg(tx, userId, invite);
    return { email, userId };
  });
}

export function linkGone(): AppError {
  return new AppError('NOT_FOUND', 'This link has been used, has expired or was replaced by a newer one.');
}

function firstMessage(error: z.ZodError | undefined): string {
  return error?.issues[0]?.message ?? 'Check this field.';
}
