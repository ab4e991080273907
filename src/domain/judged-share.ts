type Bounds = { minJudgedShare?: number | undefined; maxJudgedShare?: number | undefined };

export const unorderedShare = '`minJudgedShare` is above `maxJudgedShare`';

/** Whether the bounds of a list's filter can match anything. */
export function isOrderedShare({ minJudgedShare, maxJudgedShare }: Bounds): boolean {
  return minJudgedShare === undefined || maxJudgedShare === undefined || minJudgedShare <= maxJudgedShare;
}

type Judged = { judgedShare: number | null; needsReviewCount: number | null };

/** "82 % of the weight was judged, 3 checks are left to a person"; empty where nothing applies. Rounded down, like the share. */
export function judgedInWords({ judgedShare, needsReviewCount }: Judged): string {
  if (judgedShare === null) return '';
  const open = needsReviewCount ?? 0;
  const left = open === 0 ? '' : `, ${open} ${open === 1 ? 'check is' : 'checks are'} left to a person`;
  return `${Math.floor(judgedShare * 100 + 1e-9)} % of the weight was judged${left}`;
}
