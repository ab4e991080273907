import type { OrgTx } from '../../db/scope.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import * as queries from './queries.ts';
import { openableSecrets, sealSecrets } from './sealing.ts';

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
