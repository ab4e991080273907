import type { Analysis } from '../use-call-data.ts';
import { isUnderWay, useVersions } from '../use-call-data.ts';

/** Whether what a reviewer says of this analysis would count: the server refuses it else. */
export type Standing = 'counts' | 'superseded' | 'reanalyzed';

export function useStanding({ recordId, current }: Pick<Analysis, 'recordId' | 'current'>): Standing {
  const versions = useVersions(recordId).data?.data;
  if (!current) return 'superseded';
  return versions?.some(({ status }) => isUnderWay(status)) ? 'reanalyzed' : 'counts';
}
