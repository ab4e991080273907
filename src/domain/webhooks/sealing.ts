import type { StoredSecret } from '../../db/schema/index.ts';
import type { OrgTx } from '../../db/scope.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import * as queries from './queries.ts';
import { secretPrefix } from './signature.ts';

/** How the secrets of a webhook are stored. `sealedBy` is null if they are in clear text. */
export type StoredSecrets = Pick<queries.WebhookRow, 'secrets' | 'sealedBy'>;

/** The secrets that sign at this time, the current one first. */
export function liveSecrets(secrets: readonly StoredSecret[], now: Date): StoredSecret[] {
  return secrets.filter(({ expiresAt }) => expiresAt === null || new Date(expiresAt) > now);
}

/** In stored form: the webhook's id is part of the seal, so a secret cannot be moved to another webhook. */
export function sealSecrets(box: SecretBox, webhookId: string, secrets: readonly StoredSecret[]): StoredSecrets {
  const sealed = secrets.map(({ secret, expiresAt }) => ({ secret: box.seal(secret, webhookId), expiresAt }));
  return { secrets: sealed, sealedBy: box.keyName };
}

/** The secrets that sign at this time, in clear text. Throws if no key fits or they were changed. */
export function openSecrets(
  box: SecretBox,
  { id, secrets, sealedBy }: StoredSecrets & { id: string },
  now: Date,
): StoredSecret[] {
  return liveSecrets(secrets, now).map(({ secret, expiresAt }) => {
    const opened = sealedBy === null ? secret : box.open(secret, id);
    if (!opened.startsWith(secretPrefix)) throw new Error('What is stored is no secret of a webhook.');
    return { secret: opened, expiresAt };
  });
}

/** The same, but null if they cannot be opened. */
export function openableSecrets(
  box: SecretBox,
  webhook: StoredSecrets & { id: string },
  now: Date,
): StoredSecret[] | null {
  try {
    return openSecrets(box, webhook, now);
  } catch {
    return null;
  }
}

/** Seals with the current key. False if no key opens the stored secrets, which then stay unchanged. */
export async function resealWebhook(tx: OrgTx, box: SecretBox, id: string): Promise<boolean> {
  const webhook = await queries.lockWebhook(tx, id);
  // Another starting instance was faster, or it was deleted.
  if (!webhook || webhook.sealedBy === box.keyName) return true;
  const opened = openableSecrets(box, webhook, new Date());
  if (opened === null) return false;
  await queries.updateSecrets(tx, id, sealSecrets(box, id, opened));
  return true;
}
