import type { CheckResult } from '../../model/scorecard.ts';
import type { Category, Check } from '../../model/checks.ts';
import { wordingFor } from '../languages/wording.ts';
import { coachingFor } from './coaching.ts';
import { coachClosing, coachGreeting } from './coaching-groups.ts';
import { complianceAdvice } from './compliance-advice.ts';
import { clock, lowerFirst } from '../messages/format.ts';
import { titleIn } from '../messages/messages.ts';
import type { ReportInput } from './input.ts';
import { STANDARD_CHECKS } from '../findings/standard-checks.ts';

type Missed = { result: CheckResult; check: Check; lost: number };
export type Advice = { text: string; lost: number };

/** Compliance and critical failures come before anything that costs points. */
const FIRST = 1_000_000;

/**
 * Coaching notes, one for each weak spot, the costliest first: what happened, when, and what to say instead. Weak spots
 * that belong together (greeting, closing) make one note. A call without weak spots gets none.
 */
export function writeImprovements(input: ReportInput): string[] {
  const missed = missedChecks(input);
  const isMissed = (key: string): boolean =>
    missed.some(({ result }) => result.key === key) && input.model?.adviceOn(key) === undefined;
  const greeting = coachGreeting(input, isMissed);
  const closing = coachClosing(input, isMissed);
  const grouped = new Set([...(greeting?.keys ?? []), ...(closing?.keys ?? [])]);
  const costOf = (keys: readonly string[]): number =>
    missed.filter(({ result }) => keys.includes(result.key)).reduce((sum, each) => sum + each.lost, 0);
  const advice: Advice[] = [
    ...complianceAdvice(input).map((text) => ({ text, lost: 2 * FIRST })),
    ...[greeting, closing].flatMap((group) => (group ? [{ text: group.text, lost: costOf(group.keys) }] : [])),
    ...missed
      .filter(({ result }) => !grouped.has(result.key))
      .map((each) => ({ text: coach(input, each), lost: each.lost })),
  ];
  return [...new Set(advice.toSorted((a, b) => b.lost - a.lost).map(({ text }) => text))];
}

function missedChecks({ rubric, checks }: ReportInput): Missed[] {
  return rubric.categories.flatMap((category: Category) =>
    category.checks.flatMap((check): Missed[] => {
      const result = checks.find(({ key }) => key === check.key);
      if (!result || (result.answer !== 'fail' && result.answer !== 'partial')) return [];
      const total = category.checks.reduce((sum, { weight }) => sum + weight, 0);
      const share = (category.weight * check.weight * (100 - (result.score ?? 100))) / Math.max(1, total);
      return [{ result, check, lost: share + (check.critical && result.answer === 'fail' ? FIRST : 0) }];
    }),
  );
}

function coach(input: ReportInput, { result, check }: Missed): string {
  const advice = input.model?.adviceOn(result.key);
  if (advice !== undefined) return advice;
  const found = input.findings.get(result.key);
  const write =
    coachingFor(result.key) ??
    (check.kind === 'model' && check.detector ? coachingFor(STANDARD_CHECKS[check.detector]) : undefined);
  const isKnown = found && (!found.isByModel || (input.model === null && !NEEDS_NOTES.has(result.key)));
  if (found && isKnown && write) return write({ input, found, isPartial: result.answer === 'partial' });
  return coachOwn(input, { result, check }, found?.atMs);
}

/** Coached by what their detector noted. */
const NEEDS_NOTES = new Set(['professionalism.respect', 'professionalism.hold']);

/** For checks of one's own: what the check is called, what was found, and a phrase that counts, as an example. */
function coachOwn(
  { facts }: ReportInput,
  { result, check }: Pick<Missed, 'result' | 'check'>,
  atMs: number | undefined,
): string {
  const when = atMs === undefined ? '' : ` (${clock(atMs)})`;
  const phrases =
    check.kind === 'phrase' && check.expect === 'present' ? wordingFor(check, facts.language).phrases : [];
  // A phrase with a gap is a pattern, which nobody can say.
  const plain = phrases.find((phrase) => !phrase.includes('*'))?.replace(/(\S+?)\/\S+/gu, '$1');
  const example = plain ? ` ${facts.messages.coaching.example(plain)}` : '';
  const why = facts.messages.language === 'en' ? lowerFirst(result.rationale) : result.rationale;
  const lead = check.kind === 'phrase' ? result.rationale : `${titleIn(facts.messages, result.title)}: ${why}`;
  return `${lead.replace(/\.$/u, '')}${when}.${example}`;
}
