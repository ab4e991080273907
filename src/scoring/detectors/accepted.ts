import type { CallFacts } from '../facts/facts.ts';
import type { Finding } from '../findings/answer.ts';
import { atFirstQuote, finding } from '../findings/answer.ts';
import type { Conversation, Turn } from '../conversation/conversation.ts';
import { quotePlaces } from '../findings/evidence.ts';
import type { Hit } from '../conversation/finder.ts';
import { wordsOf } from '../conversation/finder.ts';
import * as lexicon from '../lexicon/acceptance.ts';
import { MORE_OFFERS } from '../lexicon/closing.ts';
import { inOtherLanguages, NO, YES } from '../lexicon/other-languages.ts';
import { compilePhrases } from '../../model/text/compile-phrases.ts';

const acceptances = compilePhrases([...lexicon.ACCEPTANCES, ...inOtherLanguages('acceptances')]);
const mild = compilePhrases(lexicon.MILD_ACCEPTANCES);
const reservations = compilePhrases([...lexicon.RESERVATIONS, ...inOtherLanguages('reservations')]);
const objections = compilePhrases([...lexicon.OBJECTIONS, ...inOtherLanguages('objections')]);
const notObjections = compilePhrases(lexicon.NOT_OBJECTIONS);
const settledQuestions = compilePhrases([...lexicon.SETTLED_QUESTIONS, ...inOtherLanguages('checks')]);
const moreOffers = compilePhrases([...MORE_OFFERS, ...inOtherLanguages('moreOffers')]);

const LAST_TURNS = 3;

type TurnRange = { from: number; to: number; turn: Turn };

/** Whether the customer accepts at the end, without objecting afterwards. */
export function detectAccepted(facts: CallFacts): Finding {
  const { conversation, finder } = facts;
  const say = facts.messages.answers.accepted;
  const tail = tailTurns(facts);
  if (tail.size === 0) return finding('not_applicable', say.noChance);
  const inTail = (hits: Hit[]): Hit[] => hits.filter(({ turn }) => tail.has(turn));
  const denied = finder.find(notObjections, 'customer');
  const objecting = inTail(finder.find(objections, 'customer')).filter(
    (hit) => !denied.some((each) => overlap(each, hit)),
  );
  const replies = readReplies(facts, tail);
  const against = lastOf([...objecting, ...replies.no]);
  const accepting = inTail(finder.find(acceptances, 'customer')).filter(
    (hit) => !isDenied(conversation, hit) && !objecting.some((each) => overlap(each, hit)),
  );
  const isEnding = (place: TurnRange): boolean => isMereEnding(conversation, place);
  const firm = against
    ? [...accepting, ...replies.yes].filter((place) => !isEnding(place))
    : [...accepting, ...replies.yes];
  const accepted = lastOf(firm);
  const quote = ({ from, to }: TurnRange): ReturnType<typeof quotePlaces> => quotePlaces(conversation, { from, to });
  if (against && (!accepted || against.from >= accepted.from)) {
    return { ...atFirstQuote(finding('fail', say.objects, quote(against))), way: 'objected' };
  }
  const reserved = lastOf(inTail(finder.find(reservations, 'customer')));
  if (reserved ?? (against && accepted && against.turn === accepted.turn)) {
    const place = reserved ?? against;
    if (place) return atFirstQuote(finding('partial', say.reserved, quote(place)));
  }
  if (accepted) return finding('pass', say.accepts, quote(accepted));
  return withoutWords(facts, tail, lastOf(inTail(finder.find(mild, 'customer'))));
}

/** "No", "that's all": the customer wants nothing more, which does not settle an objection. */
function isMereEnding({ tokens }: Conversation, { from, to }: TurnRange): boolean {
  const words = wordsOf(tokens, from, to);
  return !words.some((word, index) => SETTLING.test(word) && words[index + 1] !== 'bye');
}

const SETTLING =
  /^(?:thank|thanks|great|perfect|good|fine|lovely|wonderful|brilliant|excellent|works|helps|helpful|appreciate|cheers|danke|dank|super|prima|perfekt|gracias|perfecto|спасибо|отлично|благодарю)$/u;

function withoutWords(
  { conversation, results, messages }: CallFacts,
  tail: ReadonlySet<Turn>,
  nod: TurnRange | undefined,
): Finding {
  const say = messages.answers.accepted;
  const last = [...tail].at(-1);
  if (nod && nod.turn === last) {
    return finding('pass', say.nods, quotePlaces(conversation, nod));
  }
  const lastResult = results.findLast(({ kind }) => kind !== 'answer') ?? results.at(-1);
  if (!last || (lastResult && last.from < lastResult.from)) {
    return finding('not_applicable', say.noChance);
  }
  return atFirstQuote(finding('fail', say.never, quotePlaces(conversation, last)));
}

/** The customer's last three turns after the request, and after the first result if there is one. */
function tailTurns({ conversation, need, results }: CallFacts): Set<Turn> {
  const after = need?.turn.index ?? -1;
  const result = results.find(({ from }) => from >= (need?.from ?? 0));
  const turns = conversation.customerTurns.slice(-LAST_TURNS).filter((turn) => turn.index > after);
  return new Set(result ? turns.filter((turn) => turn.from > result.from) : turns);
}

/**
 * The meaning of "yes" and "no" depends on the question: "anything else?" – "no" accepts, "did that help?" – "no"
 * objects.
 */
function readReplies(
  { conversation, finder }: CallFacts,
  tail: ReadonlySet<Turn>,
): { yes: TurnRange[]; no: TurnRange[] } {
  const yes: TurnRange[] = [];
  const no: TurnRange[] = [];
  const replyTo = ({ turn }: Hit): { place: TurnRange; word: string } | null => {
    const reply = conversation.turns[turn.index + 1];
    if (!reply || !tail.has(reply)) return null;
    const words = wordsOf(conversation.tokens, reply.from, Math.min(reply.to, reply.from + 3));
    const word = words.find((each) => YES.has(each) || NO.has(each)) ?? '';
    const place = { from: reply.from, to: Math.min(reply.to, reply.from + 8), turn: reply };
    if (word === '' || word === 'not') return { place, word };
    return { place, word: YES.has(word) ? 'yes' : 'no' };
  };
  for (const hit of finder.find(settledQuestions, 'agent')) {
    const reply = lastQuestionIs(finder.find(moreOffers, 'agent'), hit) ? null : replyTo(hit);
    if (reply?.word === 'yes') yes.push(reply.place);
    else if (reply && reply.word !== '') no.push(reply.place);
  }
  for (const hit of finder.find(moreOffers, 'agent')) {
    const reply = replyTo(hit);
    if (reply?.word === 'no') yes.push(reply.place);
  }
  return { yes, no };
}

function lastQuestionIs(offers: readonly Hit[], hit: Hit): boolean {
  return offers.some((offer) => offer.turn === hit.turn && offer.from > hit.from);
}

function isDenied({ tokens }: Conversation, { from }: Hit): boolean {
  return wordsOf(tokens, from - 2, from).some((word) => DENYING.has(word));
}

const DENYING = new Set(['not', 'never', 'hardly', 'nicht', 'kein', 'nunca', 'не']);

function overlap(a: Hit, b: Hit): boolean {
  return a.from < b.to && b.from < a.to;
}

function lastOf(places: readonly TurnRange[]): TurnRange | undefined {
  return places.reduce<TurnRange | undefined>(
    (last, place) => (!last || place.from >= last.from ? place : last),
    undefined,
  );
}
