import { AGREEMENT_FIGURES } from './agreement-figures.ts';

/** How far answers can be relied on, as everybody is told it: the README and the dashboard say the same. */
export function tellAgreement({ answers, given, agreeing }: typeof AGREEMENT_FIGURES = AGREEMENT_FIGURES): string {
  const of100 = (part: number, all: number): string => String(Math.round((100 * part) / all));
  return `Of 100 answers given, ${of100(agreeing, given)} agree with a careful reader; ${of100(answers - given, answers)} of 100 are left to you.`;
}
