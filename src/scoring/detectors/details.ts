import type { CallFacts } from '../facts/facts.ts';
import type { Finding } from '../findings/answer.ts';
import { finding } from '../findings/answer.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { quotePlaces } from '../findings/evidence.ts';
import type { GivenDetail } from '../facts/given-details.ts';
import { areSimilarDigits, readGivenDetails } from '../facts/given-details.ts';
import { AFFIRMATIONS } from '../lexicon/details.ts';
import type { Stretch } from '../conversation/stretches.ts';
import { readStretches } from '../conversation/stretches.ts';
import { contentWords } from '../text/content.ts';
import type { Detail } from '../text/details.ts';
import { readDetails } from '../text/details.ts';
import { compilePhrases } from '../../model/text/compile-phrases.ts';
import { findPhrases } from '../text/phrases.ts';

const affirmations = compilePhrases(AFFIRMATIONS);
/** A read-back comes soon, or in the summary at the end. */
const NEAR_DETAILS = 24;

type Told = { detail: Detail; isAffirmed: boolean };

/** Whether the agent reads back or confirms the details that decide the outcome. */
export function detectDetails(facts: CallFacts): Finding {
  const { conversation } = facts;
  const say = facts.messages.answers.details;
  const given = readGivenDetails(conversation, readStretches(conversation, 'customer'));
  const agent = readStretches(conversation, 'agent');
  const told = agent.flatMap((stretch) => toldIn(conversation, stretch));
  if (given.length === 0) return withoutGiven(facts, told);
  const repeats = given.map((detail) => ({ detail, told: confirmation(detail, told, agent) }));
  const missing = repeats.filter((repeat) => !repeat.told).map(({ detail }) => detail);
  const evidence = repeats.flatMap((repeat) => (repeat.told ? quotePlaces(conversation, repeat.told) : [])).slice(0, 4);
  if (missing.length === 0) return finding('pass', say.pass(kindsOf(given)), evidence);
  const gaps = missing.slice(0, 2).flatMap((detail) => quotePlaces(conversation, detail).slice(0, 1));
  const kinds = kindsOf(missing);
  const names = say.named(kinds);
  // Quotes that show what is missing come last.
  const fields = { notes: [names], ...(gaps[0] && { atMs: gaps[0].startMs }) };
  if (missing.length < given.length) {
    return { ...finding('partial', say.partial(names), [...evidence, ...gaps]), ...fields };
  }
  return { ...finding('fail', say.fail(names, kinds.length === 1), gaps), ...fields };
}

function toldIn(conversation: Conversation, stretch: Stretch): Told[] {
  const reply = conversation.turns[(stretch.turns.at(-1)?.index ?? 0) + 1];
  const opening = reply?.role === 'customer' ? reply.tokens.slice(0, 6) : [];
  const isAffirmed =
    !opening.some(({ word }) => word === 'no' || word === 'not') && findPhrases(opening, affirmations).length > 0;
  return readDetails(stretch.tokens).map((detail) => ({ detail, isAffirmed }));
}

/**
 * If the customer gives no details, only those that the agent proposes or has on file, and the customer agrees to,
 * count.
 */
function withoutGiven({ conversation, need, questions, results, messages }: CallFacts, told: readonly Told[]): Finding {
  const say = messages.answers.details;
  const after = need?.to ?? 0;
  const isOffered = ({ detail, isAffirmed }: Told): boolean =>
    detail.from >= after &&
    isAffirmed &&
    questions.some(
      ({ turn, from, to }) =>
        detail.from >= turn.from && detail.from < Math.min(to, turn.to) && detail.from >= from - 12,
    );
  const isBooked = ({ detail }: Told): boolean =>
    (detail.kind === 'date' || detail.kind === 'time') &&
    results.some(({ kind, to }) => kind === 'done' && detail.from >= to && detail.from - to < 10 && to > after);
  const confirmed = told.find((each) => isOffered(each) || isBooked(each));
  if (!confirmed) return finding('not_applicable', say.none);
  return finding('pass', say.agreed, quotePlaces(conversation, confirmed.detail));
}

function confirmation(
  given: GivenDetail,
  told: readonly Told[],
  agent: readonly Stretch[],
): { from: number; to: number } | null {
  if (given.kind === 'name') return repeatedName(given, agent);
  const later = told.filter(({ detail }) => detail.from >= given.from);
  const exact = later.find(({ detail }) => detail.values.some((value) => given.values.includes(value)));
  if (exact) return exact.detail;
  const near = later.slice(0, NEAR_DETAILS);
  const similar = near.find(({ detail, isAffirmed }) => {
    if (detail.kind === given.kind && isAffirmed) return true;
    if (given.kind !== 'number' && given.kind !== 'address') return false;
    return detail.values.some((value) => given.values.some((each) => areSimilarDigits(value, each)));
  });
  return similar?.detail ?? null;
}

function repeatedName(given: GivenDetail, agent: readonly Stretch[]): { from: number; to: number } | null {
  for (const stretch of agent) {
    if (stretch.from < given.from) continue;
    const said = contentWords(stretch.tokens);
    if (given.values.some((value) => said.has(value))) return { from: stretch.from, to: stretch.to };
  }
  return null;
}

function kindsOf(details: readonly GivenDetail[]): GivenDetail['kind'][] {
  return [...new Set(details.map(({ kind }) => kind))];
}
