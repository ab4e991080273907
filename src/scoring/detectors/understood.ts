import type { CallFacts } from '../facts/facts.ts';
import type { Finding } from '../findings/answer.ts';
import { finding } from '../findings/answer.ts';
import { quoteFairly, quotePlaces } from '../findings/evidence.ts';
import { inOtherLanguages } from '../lexicon/other-languages.ts';
import { IDENTITY_QUESTIONS, PROCESS_QUESTIONS, RESTATEMENTS } from '../lexicon/questions.ts';
import { contentWords, stem } from '../text/content.ts';
import { compilePhrases } from '../../model/text/compile-phrases.ts';
import type { SpokenQuestion } from '../facts/questions.ts';

const process = compilePhrases([
  ...PROCESS_QUESTIONS,
  ...inOtherLanguages('offers'),
  ...inOtherLanguages('moreOffers'),
  ...inOtherLanguages('holdAnnouncements'),
]);
const identity = compilePhrases([...IDENTITY_QUESTIONS, ...inOtherLanguages('identityChecks')]);
const restatements = compilePhrases([...RESTATEMENTS, ...inOtherLanguages('acknowledgements')]);

/**
 * Whether the agent makes sure of the need before acting, by asking about it or by repeating it. A need that is plain
 * and met at once requires neither.
 */
export function detectUnderstood(facts: CallFacts): Finding {
  const { conversation, need, opening } = facts;
  const say = facts.messages.answers.understood;
  const from = need ? need.from : opening.isMidCall ? 0 : -1;
  if (from < 0) return finding('not_applicable', say.noNeed);
  const acted = facts.results.find((result) => result.kind !== 'next' && result.from > from);
  const until = acted ? acted.from : facts.ending.closingFrom;
  const question = clarifyingQuestion(facts, from, until);
  if (question) {
    return { ...finding('pass', say.asked, quoteFairly(facts, question)), way: 'asked' };
  }
  const restated = restatement(facts, from, until);
  if (restated) return { ...finding('pass', say.restated, quoteFairly(facts, restated)), way: 'restated' };
  if (acted && isAtOnce(facts, from, acted.from)) {
    return finding('not_applicable', say.atOnce, quoteFairly(facts, acted));
  }
  if (
    acted &&
    facts.questions.some((question) => question.from > from && question.from < until && isAbout(facts, question))
  ) {
    return finding('not_applicable', say.identified);
  }
  const said = need ? quotePlaces(conversation, { from: need.from, to: Math.min(need.to, need.from + 12) }) : [];
  return finding('fail', say.fail, said);
}

function isAbout({ finder }: CallFacts, question: SpokenQuestion): boolean {
  return finder.find(identity, 'agent').some(({ from, to }) => from < question.to && question.from < to);
}

function clarifyingQuestion(facts: CallFacts, from: number, until: number): SpokenQuestion | undefined {
  const { finder, questions } = facts;
  const passedOver = [...finder.find(process, 'agent'), ...finder.find(identity, 'agent')];
  return questions.find((question) => {
    if (question.from < from || question.from >= until) return false;
    return !passedOver.some((hit) => hit.from < Math.min(question.to, question.from + 14) && question.from < hit.to);
  });
}

function restatement(facts: CallFacts, from: number, until: number): { from: number; to: number } | undefined {
  const { conversation, finder, need } = facts;
  const hit = finder.find(restatements, 'agent').find((each) => each.from > from && each.from < until);
  if (hit) return hit;
  if (!need || need.words.size < 2) return undefined;
  for (const turn of conversation.agentTurns) {
    if (turn.to <= from || turn.from >= until) continue;
    const said = contentWords(turn.tokens.filter(({ at }) => at > from && at < until));
    const shared = [...need.words].filter((word) => said.has(stem(word)));
    if (shared.length >= 2 && shared.length >= Math.min(3, need.words.size / 2))
      return { from: turn.from, to: Math.min(turn.to, until) };
  }
  return undefined;
}

/** The agent's first reaction to the request is the answer. */
function isAtOnce({ conversation }: CallFacts, from: number, actedFrom: number): boolean {
  const turnsBetween = conversation.agentTurns.filter((turn) => turn.from > from && turn.to <= actedFrom);
  return turnsBetween.filter((turn) => turn.tokens.length > 4).length <= 1;
}
