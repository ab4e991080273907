import { generateApiToken } from '../../auth/api-token.ts';
import type { Actor } from '../../auth/principal.ts';
import type { OrgTx } from '../../db/scope.ts';
import { AppError, notFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { toPage, type Page } from '../../lib/paging.ts';
import type { OrgContext } from '../context.ts';
import * as queries from './queries.ts';
import type { ApiToken, CreatedToken, CreateTokenInput, ListTokensInput } from './schemas.ts';

/** The actor's own tokens that were not revoked, newest first by default. */
export async function listTokens({ db, actor }: OrgContext, input: ListTokensInput): Promise<Page<ApiToken>> {
  refuseApiTokens(actor);
  const [rows, total] = await db.readOrg(actor.orgId, (tx) =>
    Promise.all(queries.selectTokens(tx, actor.userId, input)),
  );
  return toPage(rows, total, input);
}

/** A token for the actor in the selected organization. Each use has the role that they have then. */
export async function createToken({ db, actor }: OrgContext, input: CreateTokenInput): Promise<CreatedToken> {
  refuseApiTokens(actor);
  return db.withOrg(actor.orgId, (tx) => issueToken(tx, actor.userId, input));
}

export async function revokeToken({ db, actor }: OrgContext, { id }: { id: string }): Promise<void> {
  refuseApiTokens(actor);
  const isRevoked = await db.withOrg(actor.orgId, (tx) => queries.revokeToken(tx, actor.userId, id));
  if (!isRevoked) throw notFound('Token');
}

/** Also for the operator's command line, which acts for any member. Throws NOT_FOUND if the user is no member. */
export async function issueToken(
  tx: OrgTx,
  userId: string,
  { name, expiresAt }: CreateTokenInput,
): Promise<CreatedToken> {
  if (!(await queries.isMember(tx, userId))) throw notFound('Member');
  const { token, ...stored } = generateApiToken();
  const row = await queries.insertToken(tx, { id: newId('token'), userId, name, expiresAt, ...stored });
  if (!row) throw new AppError('INTERNAL_ERROR', 'The token was not stored.');
  return { ...row, token };
}

/** A leaked token must not be able to create its own successors. */
function refuseApiTokens({ principal }: Actor): void {
  if (principal.kind === 'api-token')
    throw new AppError('FORBIDDEN', 'API tokens are managed by a signed-in user, not by an API token.');
}
