import type { OrgTx } from '../../db/scope.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import * as queries from './queries.ts';
import { openableSecrets, sealSecrets } from './sealing.ts';

/** Seals with the present key. False where no key opens what is stored, which stays as it is. */
export async function resealWebhook(tx: OrgTx, box: SecretBox, id: string): Promise<boolean> {
  const webhook = await queries.lockWebhook(tx, id);
  // Another instance that starts was quicker, or it has been deleted.
  if (!webhook || webhook.sealedBy === box.keyName) return true;
  const opened = openableSecrets(box, webhook, new Date());
  if (opened === null) return false;
  await queries.updateSecrets(tx, id, sealSecrets(box, id, opened));
  return true;
}
