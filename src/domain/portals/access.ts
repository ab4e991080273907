import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import type { Logger } from '../../lib/logger.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { Bitrix24 } from '../../providers/crm/bitrix24.ts';
import type { RestAnswer } from '../../providers/crm/bitrix24-rest.ts';
import { CrmError } from '../../providers/crm/crm-error.ts';
import { loadCredentials, renewCredentials } from './credentials.ts';
import * as queries from './installation-queries.ts';

/** REST calls to linked portals, with tokens that are renewed as needed. */
export type CrmAccess = {
  /**
   * Throws CrmError. A `suspended` error is stored with the portal until a call succeeds. Nothing is sent to hosts
   * other than Bitrix24's cloud and the one that the portal was linked with.
   */
  call(memberId: string, method: string, parameters: Record<string, unknown>): Promise<RestAnswer>;
};

type AccessOptions = { system: Sql; crm: Bitrix24 | undefined; secrets: SecretBox; log: Logger };

const pausesMax = 3;
const pauseMsMin = 500;

export function createCrmAccess({ system, crm, secrets, log }: AccessOptions): CrmAccess {
  return {
    async call(memberId, method, parameters) {
      if (!crm) throw new CrmError('refused', 'NO_APPLICATION');
      try {
        return await ask({ system, crm, secrets }, memberId, { method, parameters });
      } catch (error) {
        const isSuspension = error instanceof CrmError && error.problem === 'suspended';
        if (isSuspension && (await queries.suspendPortal(system, memberId, error.code))) {
          log.warn({ memberId, reason: error.code }, 'a Bitrix24 portal gives no access any more');
        }
        throw error;
      }
    },
  };
}

type PortalRequest = { method: string; parameters: Record<string, unknown> };

async function ask(
  options: { system: Sql; crm: Bitrix24; secrets: SecretBox },
  memberId: string,
  question: PortalRequest,
): Promise<RestAnswer> {
  const { system, crm } = options;
  let credentials = await loadCredentials(options, memberId);
  let isRenewed = false;
  for (let pauses = 0; ;) {
    try {
      const { clientEndpoint: endpoint, domain, accessToken, isSuspended } = credentials;
      if (!crm.isTrusted(endpoint, domain)) throw new CrmError('refused', 'UNTRUSTED_HOST');
      const answer = await crm.call({ ...question, endpoint, accessToken });
      if (isSuspended) await queries.resumePortal(system, memberId);
      return answer;
    } catch (error) {
      if (!(error instanceof CrmError)) throw error;
      if (error.problem === 'expired' && !isRenewed) {
        credentials = await renewCredentials(options, credentials);
        isRenewed = true;
      } else if (error.code === 'QUERY_LIMIT_EXCEEDED' && pauses < pausesMax) {
        await sleep(pauseMsMin * 2 ** pauses);
        pauses += 1;
      } else throw error;
    }
  }
}
