import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { Bitrix24, Bitrix24Tokens } from '../../providers/crm/bitrix24.ts';
import { CrmError } from '../../providers/crm/crm-error.ts';
import * as queries from './installation-queries.ts';

export type Credentials = {
  memberId: string;
  domain: string;
  clientId: string;
  clientEndpoint: string;
  accessToken: string;
  tokenVersion: number;
  isSuspended: boolean;
};

type CredentialsOptions = { system: Sql; crm: Bitrix24; secrets: SecretBox };

/** The longest that a token request can take; after that, its process counts as dead. */
const renewalLeaseMs = 20_000;
const renewalPollMs = 100;

/** The credentials for a linked portal. Throws CrmError if there are none. */
export async function loadCredentials(
  { system, secrets }: Pick<CredentialsOptions, 'system' | 'secrets'>,
  memberId: string,
): Promise<Credentials> {
  const [installation, portal] = await Promise.all([
    queries.selectInstallation(system, memberId),
    queries.selectLinkedPortal(system, memberId),
  ]);
  if (!portal) throw new CrmError('refused', 'PORTAL_NOT_LINKED');
  if (!installation?.accessToken) throw new CrmError('suspended', 'ACCESS_MISSING');
  const { clientId, clientEndpoint, tokenVersion } = installation;
  const accessToken = secrets.open(installation.accessToken, memberId);
  const isSuspended = portal.status === 'suspended';
  const { domain } = portal;
  return { memberId, domain, clientId, clientEndpoint, accessToken, tokenVersion, isSuspended };
}

/**
 * Replaces expired credentials. A refresh token works once, so of all processes that find the credentials expired, one
 * renews them and the others wait. A lease on the row decides; no transaction is open meanwhile. Throws CrmError.
 */
export async function renewCredentials(options: CredentialsOptions, stale: Credentials): Promise<Credentials> {
  const { system, secrets } = options;
  const { memberId, tokenVersion } = stale;
  const deadline = Date.now() + renewalLeaseMs + 5000;
  for (;;) {
    const sealed = await queries.claimRenewal(system, { memberId, tokenVersion, leaseMs: renewalLeaseMs });
    if (sealed !== undefined) {
      await renewClaimed(options, stale, secrets.open(sealed, memberId));
      return loadCredentials(options, memberId);
    }
    const current = await loadCredentials(options, memberId);
    if (current.tokenVersion > tokenVersion) return current;
    if (Date.now() > deadline) throw new CrmError('unavailable', 'RENEWAL_TIMEOUT');
    await sleep(renewalPollMs);
  }
}

async function renewClaimed(
  { system, crm, secrets }: CredentialsOptions,
  { memberId, tokenVersion, clientId, clientEndpoint }: Credentials,
  refreshToken: string,
): Promise<void> {
  const tokens = await crm.renew(refreshToken, clientId).catch(async (error: unknown) => {
    const isRevoked = error instanceof CrmError && error.code === 'INVALID_GRANT';
    await queries.releaseRenewal(system, { memberId, tokenVersion, isRevoked });
    throw error;
  });
  await queries.storeRenewed(system, {
    memberId,
    tokenVersion,
    accessToken: secrets.seal(tokens.accessToken, memberId),
    refreshToken: secrets.seal(tokens.refreshToken, memberId),
    moved: movedTo(crm, tokens, clientEndpoint),
  });
}

/** The portal's address according to Bitrix24's own server. Only a portal in the cloud may move by itself. */
function movedTo(crm: Bitrix24, { clientEndpoint }: Bitrix24Tokens, before: string) {
  if (clientEndpoint === null || clientEndpoint === before) return null;
  const { host } = new URL(clientEndpoint);
  const isFine = crm.isKnownDomain(host) && crm.isTrusted(clientEndpoint, host);
  return isFine ? { domain: host, clientEndpoint } : null;
}

/**
 * Seals tokens with the current key that were sealed with another. `closed` counts those that no key opens; they stay
 * unchanged.
 */
export async function resealTokens({
  system,
  secrets,
}: Pick<CredentialsOptions, 'system' | 'secrets'>): Promise<{ sealed: number; closed: number }> {
  const counts = { sealed: 0, closed: 0 };
  for (const old of await queries.selectTokensSealedOtherwise(system, secrets.keyName)) {
    const sealed = resealed(secrets, old);
    if (sealed) await queries.replaceTokens(system, old, sealed);
    counts[sealed ? 'sealed' : 'closed'] += 1;
  }
  return counts;
}

function resealed(box: SecretBox, { memberId, ...tokens }: queries.SealedTokens): queries.SealedTokens | null {
  const again = (sealed: string): string => box.seal(box.open(sealed, memberId), memberId);
  try {
    return { memberId, accessToken: again(tokens.accessToken), refreshToken: again(tokens.refreshToken) };
  } catch {
    return null;
  }
}
