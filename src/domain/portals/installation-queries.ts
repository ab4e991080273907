import type { Sql } from 'postgres';
import { answeredInTime } from '../../db/deadline.ts';

/** The application in a portal, with its tokens as stored: sealed. */
export type Installation = {
  memberId: string;
  domain: string;
  /** Client id that the tokens belong to. */
  clientId: string;
  clientEndpoint: string;
  applicationTokenHash: Buffer;
  accessToken: string | null;
  refreshToken: string | null;
  tokenVersion: number;
};

/** The portal as linked by an organization. */
export type LinkedPortal = { orgId: string; domain: string; status: 'active' | 'suspended' };

export type NewInstallation = Omit<Installation, 'tokenVersion'>;

/** A portal identifies itself before an organization is known, hence the system connection throughout. */
export async function selectInstallation(system: Sql, memberId: string): Promise<Installation | undefined> {
  const [row] = await answeredInTime(
    () => system<Installation[]>`
    select member_id as "memberId", domain, client_id as "clientId", client_endpoint as "clientEndpoint", access_token as "accessToken",
           application_token_hash as "applicationTokenHash", refresh_token as "refreshToken",
           token_version as "tokenVersion"
      from portal_installations where member_id = ${memberId}`,
  );
  return row;
}

export async function selectLinkedPortal(system: Sql, memberId: string): Promise<LinkedPortal | undefined> {
  const [row] = await answeredInTime(
    () => system<LinkedPortal[]>`
    select org_id as "orgId", domain, status from portals where member_id = ${memberId}`,
  );
  return row;
}

/** Installing again brings new tokens, with the next version number, and ends a suspension. */
export async function upsertInstallation(system: Sql, installation: NewInstallation): Promise<void> {
  const { memberId, domain, clientId, clientEndpoint, applicationTokenHash, accessToken, refreshToken } = installation;
  await system.begin(async (tx) => {
    await tx`
      insert into portal_installations
             (member_id, domain, client_id, client_endpoint, application_token_hash, access_token, refresh_token)
      values (${memberId}, ${domain}, ${clientId}, ${clientEndpoint}, ${applicationTokenHash}, ${accessToken}, ${refreshToken})
      on conflict (member_id) do update
         set domain = excluded.domain, client_id = excluded.client_id, client_endpoint = excluded.client_endpoint,
             application_token_hash = excluded.application_token_hash, access_token = excluded.access_token,
             refresh_token = excluded.refresh_token, token_version = portal_installations.token_version + 1,
             renewing_until = null, updated_at = now()`;
    await tx`
      update portals
         set domain = ${domain}, status = 'active', suspended_reason = null, suspended_at = null, events_url = null,
             reconciled_at = null, updated_at = now()
       where member_id = ${memberId}`;
  });
}

export type SealedTokens = { memberId: string; accessToken: string; refreshToken: string };

/** Tokens that are sealed with a different key than this one. */
export async function selectTokensSealedOtherwise(system: Sql, keyName: string): Promise<SealedTokens[]> {
  return system<SealedTokens[]>`
    select member_id as "memberId", access_token as "accessToken", refresh_token as "refreshToken"
      from portal_installations
     where split_part(access_token, '.', 2) <> ${keyName} or split_part(refresh_token, '.', 2) <> ${keyName}
     order by member_id`;
}

/** Only if they are still the ones that were read. */
export async function replaceTokens(system: Sql, old: SealedTokens, sealed: SealedTokens): Promise<void> {
  await system`
    update portal_installations set access_token = ${sealed.accessToken}, refresh_token = ${sealed.refreshToken}
     where member_id = ${old.memberId} and access_token = ${old.accessToken} and refresh_token = ${old.refreshToken}`;
}

export async function deleteInstallation(system: Sql, memberId: string): Promise<void> {
  await system`delete from portal_installations where member_id = ${memberId}`;
}

/** Its events can still be told from forged ones. */
export async function deleteTokens(system: Sql, memberId: string): Promise<void> {
  await system`
    update portal_installations
       set access_token = null, refresh_token = null, token_version = token_version + 1, updated_at = now()
     where member_id = ${memberId}`;
}

export async function updateLinkCode(
  system: Sql,
  { memberId, hash, lifetimeMs }: { memberId: string; hash: Buffer; lifetimeMs: number },
): Promise<Date> {
  const [row] = await system<{ expiresAt: Date }[]>`
    update portal_installations
       set link_code_hash = ${hash}, link_code_expires_at = now() + make_interval(secs => ${lifetimeMs / 1000})
     where member_id = ${memberId} returning link_code_expires_at as "expiresAt"`;
  if (!row) throw new Error('The installation was not stored.');
  return row.expiresAt;
}

export async function selectByLinkCode(system: Sql, domain: string, hash: Buffer): Promise<string | undefined> {
  const [row] = await system<{ memberId: string }[]>`
    select member_id as "memberId" from portal_installations
     where domain = ${domain} and link_code_hash = ${hash} and link_code_expires_at > now()`;
  return row?.memberId;
}

/** False if somebody else was faster. */
export async function deleteLinkCode(system: Sql, memberId: string, hash: Buffer): Promise<boolean> {
  const rows = await system`
    update portal_installations set link_code_hash = null, link_code_expires_at = null
     where member_id = ${memberId} and link_code_hash = ${hash} returning member_id`;
  return rows.length > 0;
}

/**
 * Claims the refresh token for one of the processes that found this version expired; another may claim it after
 * `leaseMs`.
 */
export async function claimRenewal(
  system: Sql,
  { memberId, tokenVersion, leaseMs }: { memberId: string; tokenVersion: number; leaseMs: number },
): Promise<string | undefined> {
  const [row] = await system<{ refreshToken: string }[]>`
    update portal_installations set renewing_until = now() + make_interval(secs => ${leaseMs / 1000})
     where member_id = ${memberId} and token_version = ${tokenVersion} and refresh_token is not null
       and (renewing_until is null or renewing_until < now())
    returning refresh_token as "refreshToken"`;
  return row?.refreshToken;
}

type Renewed = Pick<NewInstallation, 'memberId' | 'accessToken' | 'refreshToken'> & {
  tokenVersion: number;
  /** The portal's new address, if it has moved. */
  moved: { domain: string; clientEndpoint: string } | null;
};

export async function storeRenewed(system: Sql, renewed: Renewed): Promise<void> {
  const { memberId, tokenVersion, accessToken, refreshToken, moved } = renewed;
  await system.begin(async (tx) => {
    await tx`
      update portal_installations
         set access_token = ${accessToken}, refresh_token = ${refreshToken}, token_version = token_version + 1,
             renewing_until = null, updated_at = now()
       where member_id = ${memberId} and token_version = ${tokenVersion}`;
    if (!moved) return;
    const { domain, clientEndpoint } = moved;
    await tx`
      update portal_installations set domain = ${domain}, client_endpoint = ${clientEndpoint}
       where member_id = ${memberId}`;
    await tx`update portals set domain = ${domain}, updated_at = now() where member_id = ${memberId}`;
  });
}

/** `isRevoked`: the tokens no longer work. */
export async function releaseRenewal(
  system: Sql,
  { memberId, tokenVersion, isRevoked }: { memberId: string; tokenVersion: number; isRevoked: boolean },
): Promise<void> {
  await system`
    update portal_installations
       set renewing_until = null,
           access_token = case when ${isRevoked} then null else access_token end,
           refresh_token = case when ${isRevoked} then null else refresh_token end
     where member_id = ${memberId} and token_version = ${tokenVersion}`;
}

/** Once: the first reason is the one that is shown. */
export async function suspendPortal(system: Sql, memberId: string, reason: string): Promise<boolean> {
  const rows = await system`
    update portals set status = 'suspended', suspended_reason = ${reason}, suspended_at = now(), updated_at = now()
     where member_id = ${memberId} and status = 'active' returning member_id`;
  return rows.length > 0;
}

export async function resumePortal(system: Sql, memberId: string): Promise<void> {
  await system`
    update portals set status = 'active', suspended_reason = null, suspended_at = null, updated_at = now()
     where member_id = ${memberId} and status = 'suspended'`;
}

/** Our user for a user of the portal, known since they opened the app in its frame. */
export async function selectPortalMember(
  system: Sql,
  { orgId, memberId, portalUserId }: { orgId: string; memberId: string; portalUserId: string },
): Promise<{ userId: string; name: string } | undefined> {
  const [row] = await system<{ userId: string; name: string }[]>`
    select u.id as "userId", u.name
      from identities i join users u on u.id = i.user_id
      join memberships m on m.user_id = u.id and m.org_id = ${orgId}
     where i.issuer = ${`bitrix24:${memberId}`} and i.subject = ${portalUserId}`;
  return row;
}

export async function selectOrgsWithPortals(system: Sql): Promise<string[]> {
  const rows = await system<{ orgId: string }[]>`select distinct org_id as "orgId" from portals`;
  return rows.map(({ orgId }) => orgId);
}

/**
 * Portals that were reconciled the longest ago; suspended ones once a day, whether or not they were ever reconciled.
 */
export async function selectPortalsToReconcile(
  system: Sql,
  { limit, everyMs, suspendedEveryMs }: { limit: number; everyMs: number; suspendedEveryMs: number },
): Promise<{ orgId: string; memberId: string }[]> {
  return system<{ orgId: string; memberId: string }[]>`
    select org_id as "orgId", member_id as "memberId" from portals
     where project_id is not null
       and case status
             when 'suspended' then updated_at < now() - make_interval(secs => ${suspendedEveryMs / 1000})
             else reconciled_at is null or reconciled_at < now() - make_interval(secs => ${everyMs / 1000})
           end
     order by updated_at, member_id limit ${limit}`;
}
