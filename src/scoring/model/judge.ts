import type { CheckAnswer, Evidence } from '../../model/scorecard.ts';
import type { Finding } from '../findings/answer.ts';
import { atFirstQuote, finding } from '../findings/answer.ts';
import type { CallFacts } from '../facts/facts.ts';
import { titleIn } from '../messages/messages.ts';
import type { KeyedAnswers, ModelQuote } from '../../model/model-answers.ts';
import { findQuote } from './quotes.ts';
import type { Question } from '../../model/question.ts';
import type { TextCheck } from './text-check.ts';

const evidenceMax = 5;
const rationaleLengthMax = 300;

type Given = KeyedAnswers['answers'][number];
type Told = Given & { answer: Exclude<Given['answer'], 'cannot_tell'> };
type Judged = { answer: CheckAnswer; rationale: string; evidence: Evidence[] };

/**
 * The verified result of the model's answers to one question, with the transcript's own words; null if there is none.
 * An answer that must be proven and is not becomes `needs_review`. Of several windows, the better answer counts if
 * something had to be said, and the worse one if something had to be left unsaid; some questions are decided by the
 * first or last window alone.
 */
export function judgeQuestion(
  question: Question,
  { windows, facts, check }: { windows: readonly KeyedAnswers[]; facts: CallFacts; check: TextCheck },
): Finding | null {
  const given = windows.map(({ answers }) => answers.find(({ ref }) => ref === question.ref));
  const judged = deciding(question, given).map((each) => judgeAnswer(question, each, { facts, check }));
  const rank = RANKS[question.expect];
  const [best] = judged.toSorted((a, b) => rank.indexOf(a.answer) - rank.indexOf(b.answer));
  if (!best) return null;
  const evidence = judged.flatMap((each) => (each.answer === best.answer ? each.evidence : []));
  const found = finding(best.answer, best.rationale, evidence.slice(0, evidenceMax));
  return { ...atFirstQuote(found), isByModel: true };
}

/** From the strongest answer to the weakest. */
const RANKS: Record<Question['expect'], CheckAnswer[]> = {
  present: ['pass', 'partial', 'needs_review', 'fail', 'not_applicable'],
  absent: ['fail', 'partial', 'needs_review', 'pass', 'not_applicable'],
};

/**
 * Combines the model's finding with that of the rules, which stands if the model has none. A breach that the rules have
 * found remains, and a doubt of theirs is not removed. A failure that the model shows without words is doubted if the
 * rules have words for the opposite, and so is the model's view of a customer who says both.
 */
export function settle(
  question: Question,
  { found, byRules, facts }: { found: Finding | null; byRules: Finding; facts: CallFacts },
): Finding {
  const hasWords = byRules.evidence.length > 0;
  if (!found) return byRules.answer === 'needs_review' && !hasWords ? unclear(question, facts) : byRules;
  if (question.expect === 'absent') {
    const stands =
      byRules.answer === 'fail' || (byRules.answer === 'needs_review' && hasWords && found.answer !== 'fail');
    if (stands && hasWords) return byRules;
    // An accusation needs two witnesses, and a model is one.
    return byRules.answer === 'pass' && isAccusing(found) ? accusedAlone(found, facts) : found;
  }
  const isClaimed = isMet(found);
  // If a customer says one thing and its opposite, neither quote settles it.
  const isShownAlone = question.saidBy !== 'customer' && isShown(question, found.evidence, facts);
  const isDenied = found.answer === 'fail' || found.answer === 'not_applicable';
  if (isDenied && !isShownAlone && hasWords && isMet(byRules)) return doubt(found, byRules, facts);
  if (found.answer === 'fail' && !isShownAlone && byRules.answer === 'not_applicable')
    return doubt(found, byRules, facts);
  const isObjection = question.saidBy === 'customer' && hasWords && byRules.answer === 'fail';
  return isClaimed && isObjection ? doubt(found, byRules, facts) : found;
}

function isAccusing({ answer }: Finding): boolean {
  return answer === 'fail' || answer === 'partial';
}

function accusedAlone(found: Finding, { messages }: CallFacts): Finding {
  const { byModel, labels } = messages.answers;
  return { ...found, answer: 'needs_review', rationale: byModel.disagrees(labels[found.answer], labels.pass) };
}

function unclear({ title }: Question, { messages }: CallFacts): Finding {
  const { byModel } = messages.answers;
  return { ...finding('needs_review', byModel.cannotTell(titleIn(messages, title))), isByModel: true };
}

function isMet({ answer }: Finding): boolean {
  return answer === 'pass' || answer === 'partial';
}

function doubt({ answer }: Finding, byRules: Finding, { messages }: CallFacts): Finding {
  const { byModel, labels } = messages.answers;
  const rationale = (byRules.evidence.length > 0 ? byModel.denied : byModel.aboutNothing)(labels[answer]);
  return { ...byRules, answer: 'needs_review', rationale };
}

function deciding({ deciding }: Question, given: readonly (Given | undefined)[]): Told[] {
  const answered = given.filter((each) => each !== undefined);
  const among = deciding === 'first' ? answered.slice(0, 1) : answered;
  const told = among.filter((each): each is Told => each.answer !== 'cannot_tell');
  return deciding === 'last' ? told.slice(-1) : told;
}

function judgeAnswer(
  question: Question,
  { answer, rationale, quotes }: Told,
  { facts, check }: { facts: CallFacts; check: TextCheck },
): Judged {
  const evidence = verifyQuotes(quotes, facts, question);
  const isClaim = answer === 'partial' || answer === (question.expect === 'present' ? 'pass' : 'fail');
  if (isClaim && !isShown(question, evidence, facts)) {
    const { byModel, labels } = facts.messages.answers;
    const reason = byModel.unshown(titleIn(facts.messages, question.title), labels[answer], question.saidBy);
    return { answer: 'needs_review', rationale: reason, evidence: [] };
  }
  const own = question.isSecret ? null : check(rationale, rationaleLengthMax);
  const { plain } = facts.messages.answers.byModel;
  return { answer, rationale: own ?? plain[answer](titleIn(facts.messages, question.title)), evidence };
}

/** Quotes with the words of the segments that they name; unverifiable ones are dropped. */
export function verifyQuotes(
  quotes: readonly ModelQuote[],
  { conversation }: CallFacts,
  { isSecret = false }: { isSecret?: boolean } = {},
): Evidence[] {
  const seen = new Set<string>();
  return quotes.flatMap(({ segment, text }) => {
    const utterance = conversation.spoken[segment - 1];
    const found = utterance ? findQuote(utterance.segment, text, { isSecret }) : null;
    const id = found ? `${found.segmentId}\n${found.quote}` : '';
    if (!found || seen.has(id)) return [];
    seen.add(id);
    return [found];
  });
}

/** Whether at least one quote is from the party that the question is about. */
function isShown({ saidBy }: Question, evidence: readonly Evidence[], { conversation }: CallFacts): boolean {
  if (saidBy === null) return evidence.length > 0;
  return evidence.some(({ segmentId }) =>
    conversation.spoken.some(({ segment, role }) => segment.id === segmentId && role === saidBy),
  );
}
