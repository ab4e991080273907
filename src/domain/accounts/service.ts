import type { Adapter } from 'oidc-provider';
import type { Sql } from 'postgres';
import { notFound } from '../../lib/errors.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { addressKey } from './address.ts';
import { writeAudit, type AccountEvent, type Client } from './audit.ts';
import type { AccountParts } from './context.ts';
import * as joining from './joining.ts';
import { createLink, findLink, type Link } from './links.ts';
import { checkPassword, writeDevice, type PasswordResult, type PasswordSignIn } from './password-sign-in.ts';
import { createProviderStore, loadProviderKeys, type ProviderKeys } from './provider-store.ts';
import * as queries from './queries.ts';
import * as resetting from './resetting.ts';

export { readFactors, removePasskey, resetFactors, switchOffTotp } from './factors.ts';
export {
  beginAuthentication,
  beginRegistration,
  finishAuthentication,
  finishRegistration,
  listPasskeys,
  passkeySiteOf,
  renamePasskey,
  type PasskeyContext,
  type PasskeySite,
} from './passkeys.ts';
export { PasskeyAnswer, PasskeyName, PasskeyRegistration } from './passkey-schemas.ts';
export { nextStep, type SignInStep } from './next-step.ts';
export { createSecondFactors, type SecondFactors } from './second-factors.ts';
export type { Factors } from './factors.ts';
export type { Passkey } from './passkey-queries.ts';
export { acceptRecoveryCode, replaceRecoveryCodes } from './recovery-codes.ts';
export { requireSecondFactor } from './requirement.ts';
export { acceptTotp, beginTotp, confirmTotp, resealTotp, type FactorContext } from './totp.ts';
export { deviceOf, writeAudit, type Client } from './audit.ts';
export type { InviteNeeds, Joined } from './joining.ts';
export type { Link } from './links.ts';
export { removeExpired, type ProviderKeys } from './provider-store.ts';
export type { SignIn } from './queries.ts';
export { makeResetLink } from './resetting.ts';

export type SignedInPerson = { id: string; email: string; name: string; emailVerified: boolean };

/** Accounts of people, who sign in with the embedded identity provider. */
export type Accounts = {
  hasMail: boolean;
  keys(): Promise<ProviderKeys>;
  store(signingInWith: () => string | null): (model: string) => Adapter;
  findPerson(id: string): Promise<SignedInPerson | null>;
  hasAccounts(): Promise<boolean>;
  checkPassword(signIn: PasswordSignIn): Promise<PasswordResult>;
  /** The cookie by which a browser is known again; null for people without an account. */
  rememberDevice(userId: string): Promise<string | null>;
  record(event: AccountEvent): Promise<void>;
  findLink(token: string): Promise<Link | null>;
  needsOfInvite(link: Link): Promise<joining.InviteNeeds>;
  /** The secret part of a link that makes the first owner; null once there is one. */
  offerFirstOwner(): Promise<string | null>;
  /** Address of an owner of before, who can be given a link; null if there is none, or people can sign in already. */
  findWaitingOwner(): Promise<string | null>;
  makeFirstOwner(input: { token: string; form: joining.FirstOwnerForm; client: Client }): Promise<joining.Joined>;
  acceptInvite(input: { token: string; form: joining.InviteForm; client: Client }): Promise<joining.Joined>;
  mailReset(input: { email: string; origin: string; client: Client }): Promise<void>;
  resetPassword(input: { token: string; password: string; client: Client }): Promise<joining.Joined>;
  changePassword(change: Parameters<typeof resetting.changePassword>[1]): Promise<joining.FormFault | null>;
  listSignIns(userId: string): Promise<queries.SignIn[]>;
  /** This one, or all but one. Their tokens stop at once. */
  endSignIns(input: { userId: string; id?: string; except?: string; client: Client }): Promise<void>;
};

type Options = Omit<AccountParts, 'keys'> & { secrets: SecretBox };

export function createAccounts({ secrets, ...given }: Options): Accounts {
  const { system } = given;
  let loading: Promise<ProviderKeys> | undefined;
  const keys = (): Promise<ProviderKeys> =>
    (loading ??= loadProviderKeys(system, secrets).catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
  const parts: AccountParts = { ...given, keys };
  return {
    hasMail: parts.hasMail,
    keys,
    store: (signingInWith) => createProviderStore({ system, signingInWith }),
    findPerson: (id) => queries.selectUserById(system, id),
    hasAccounts: () => queries.hasAccounts(system),
    checkPassword: (signIn) => checkPassword(parts, signIn),
    async rememberDevice(userId) {
      const account = await queries.selectAccountOf(system, userId);
      return account && writeDevice((await keys()).cookieSecret, account);
    },
    record: (event) => writeAudit(system, event),
    findLink: (token) => findLink(system, token),
    needsOfInvite: (link) => joining.needsOfInvite(system, link),
    offerFirstOwner: () => joining.offerFirstOwner(system),
    findWaitingOwner: async () => ((await queries.hasAccounts(system)) ? null : queries.selectFirstOwner(system)),
    makeFirstOwner: (input) => joining.makeFirstOwner(parts, input),
    acceptInvite: (input) => joining.acceptInvite(parts, input),
    mailReset: (input) => resetting.mailReset(parts, input),
    resetPassword: (input) => resetting.resetPassword(parts, input),
    changePassword: (change) => resetting.changePassword(parts, change),
    listSignIns: (userId) => queries.selectSignIns(system, userId),
    async endSignIns({ client, ...which }) {
      await system.begin(async (tx) => {
        const count = await queries.deleteSignIns(tx, which);
        await writeAudit(tx, {
          type: 'sign_in.ended',
          userId: which.userId,
          client,
          details: { count: String(count) },
        });
      });
    },
  };
}

const inviteLifetimeMs = 7 * 86_400_000;

/** A link to an open invite, from the mail to its address or from the dashboard. Throws NOT_FOUND. */
export async function makeInviteLink(
  system: Sql,
  { inviteId, isMailed }: { inviteId: string; isMailed: boolean },
): Promise<string> {
  return createLink(system, { kind: 'invite', inviteId, isMailed, lifetimeMs: inviteLifetimeMs });
}

/** For the operator: ends all sign-ins of a person. Throws NOT_FOUND. */
export async function endAllSignIns(system: Sql, email: string): Promise<{ userId: string; count: number }> {
  const holder = await queries.selectHolder(system, addressKey(email));
  if (!holder) throw notFound('User');
  const { userId } = holder;
  return system.begin(async (tx) => {
    const count = await queries.deleteSignIns(tx, { userId });
    await writeAudit(tx, { type: 'sign_in.ended', userId, client: null, details: { count: String(count) } });
    return { userId, count };
  });
}
