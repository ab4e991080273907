import { randomInt, timingSafeEqual } from 'node:crypto';
import type { Sql } from 'postgres';
import { hashToken } from '../../auth/api-token.ts';
import { AppError } from '../../lib/errors.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { Bitrix24, Bitrix24Grant } from '../../providers/crm/bitrix24.ts';
import * as queries from './installation-queries.ts';

/** What a portal sends when the application is installed, or opened by somebody. */
export type GivenInstallation = {
  memberId: string;
  domain: string;
  accessToken: string;
  refreshToken: string;
  applicationToken: string;
};

export type LinkOffer = { domain: string; code: string; expiresAt: Date };

/** The application in portals, known from the portals themselves, linked or not. */
export type Installations = {
  /**
   * Stores the tokens of an administrator of the portal, once Bitrix24 has confirmed whose they are. Throws
   * UNAUTHORIZED, FORBIDDEN (no administrator, or a portal on an unknown host) or UPSTREAM_UNAVAILABLE.
   */
  install(given: GivenInstallation): Promise<void>;
  /** The same, and returns a code by which an organization can link the portal. */
  offerLink(given: GivenInstallation): Promise<LinkOffer>;
  /** Throws UNAUTHORIZED for an unknown portal, a wrong token and a wrong domain alike. */
  authenticate(event: { memberId: string; applicationToken: string; domain: string | null }): Promise<void>;
  /** Whether there are tokens for the portal. */
  hasAccess(memberId: string): Promise<boolean>;
  findByCode(offer: { domain: string; code: string }): Promise<string | undefined>;
  /** False if it was used meanwhile. */
  spendCode(memberId: string, code: string): Promise<boolean>;
  forgetTokens(memberId: string): Promise<void>;
  remove(memberId: string): Promise<void>;
};

type InstallationsOptions = { system: Sql; crm: Bitrix24 | undefined; secrets: SecretBox };

const linkCodeLifetimeMs = 15 * 60_000;
/** No characters that are easily confused when read aloud or copied by hand. */
const codeAlphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
/** Compared if there is no such portal, so that both cases take the same time. */
const decoy = hashToken('nobody');

export function createInstallations({ system, crm, secrets }: InstallationsOptions): Installations {
  async function install(given: GivenInstallation): Promise<void> {
    if (!crm) throw new AppError('FORBIDDEN', 'This service belongs to no Bitrix24 application.');
    const { memberId, accessToken, refreshToken, applicationToken } = given;
    if ([memberId, accessToken, refreshToken, applicationToken].includes('')) throw refused();
    const { domain, clientEndpoint, clientId } = await verify({ system, crm }, given);
    await queries.upsertInstallation(system, {
      memberId,
      domain,
      clientId,
      clientEndpoint,
      applicationTokenHash: hashToken(applicationToken),
      accessToken: secrets.seal(accessToken, memberId),
      refreshToken: secrets.seal(refreshToken, memberId),
    });
  }

  return {
    install,
    async offerLink(given) {
      await install(given);
      const code = newCode();
      const offer = { memberId: given.memberId, hash: hashToken(code), lifetimeMs: linkCodeLifetimeMs };
      const expiresAt = await queries.updateLinkCode(system, offer);
      return { domain: given.domain.toLowerCase(), code, expiresAt };
    },
    async authenticate({ memberId, applicationToken, domain }) {
      const installation = await queries.selectInstallation(system, memberId);
      const expected = installation?.applicationTokenHash ?? decoy;
      const isSame = timingSafeEqual(hashToken(applicationToken), expected);
      // A portal under another domain is accepted once its next token confirms it.
      const isAtHome = domain === null || domain.toLowerCase() === installation?.domain;
      if (!installation || !isSame || !isAtHome) throw refused();
    },
    async hasAccess(memberId) {
      return (await queries.selectInstallation(system, memberId))?.refreshToken != null;
    },
    findByCode: ({ domain, code }) => queries.selectByLinkCode(system, domain, hashToken(normalCode(code))),
    spendCode: (memberId, code) => queries.deleteLinkCode(system, memberId, hashToken(normalCode(code))),
    forgetTokens: (memberId) => queries.deleteTokens(system, memberId),
    remove: (memberId) => queries.deleteInstallation(system, memberId),
  };
}

/**
 * Nothing that the portal says is trusted until Bitrix24's own server has confirmed it; then the portal says who its
 * administrators are.
 */
async function verify(
  { system, crm }: { system: Sql; crm: Bitrix24 },
  { memberId, domain, accessToken }: GivenInstallation,
): Promise<Bitrix24Grant> {
  const grant = await crm.readGrant(accessToken);
  const isOurs = grant !== null && crm.isOurs(grant.clientId) && grant.memberId === memberId;
  if (!isOurs || grant.domain !== domain.toLowerCase()) throw refused();
  const linked = await queries.selectLinkedPortal(system, memberId);
  const isVouchedFor = linked?.domain === grant.domain || crm.isKnownDomain(grant.domain);
  if (!isVouchedFor || !crm.isTrusted(grant.clientEndpoint, grant.domain)) {
    throw new AppError('FORBIDDEN', 'The operator of this service has to link portals on their own hosts first.');
  }
  const profile = await crm.readProfile(grant.clientEndpoint, accessToken);
  if (!profile || (grant.userId !== null && grant.userId !== profile.id)) throw refused();
  if (!profile.isAdmin) throw new AppError('FORBIDDEN', 'No organization has linked this portal.');
  return grant;
}

/** Forty bits, for a quarter of an hour, and only together with the domain. */
function newCode(): string {
  const letters = Array.from({ length: 8 }, () => codeAlphabet[randomInt(codeAlphabet.length)] ?? '');
  return `${letters.slice(0, 4).join('')}-${letters.slice(4).join('')}`;
}

function normalCode(code: string): string {
  const letters = code.toUpperCase().replace(/[^A-Z0-9]/g, '');
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

function refused(): AppError {
  return new AppError('UNAUTHORIZED', 'The portal or its token is not known.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}
