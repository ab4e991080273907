import type { Analysis } from '../use-call-data.ts';
import { isUnderWay, useVersions } from '../use-call-data.ts';

/** Whether a review of this analysis would count; otherwise the service refuses it. */
export type Standing = 'counts' | 'superseded' | 'reanalyzed';

export function useStanding({ recordId, current }: Pick<Analysis, 'recordId' | 'current'>): Standing {
  const versions = useVersions(recordId).data?.data;
  if (!current) return 'superseded';
  return versions?.some(({ status }) => isUnderWay(status)) ? 'reanalyzed' : 'counts';
}
