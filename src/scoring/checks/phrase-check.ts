import type { Part, PhraseCheck } from '../../domain/profiles/rubric.ts';
import type { Finding } from '../answer.ts';
import { finding } from '../answer.ts';
import type { Turn } from '../conversation.ts';
import { quoteFairly, quotePlaces } from '../evidence.ts';
import { exemptionOf } from '../exemptions.ts';
import type { CallFacts } from '../facts.ts';
import type { Hit, Side } from '../finder.ts';
import { describeBan, describeDeed } from '../report/deeds.ts';
import { countWord } from '../report/format.ts';
import { speech } from '../report/speech.ts';
import { hasSlightBeside } from '../slights.ts';
import type { PhraseSet } from '../text/phrases.ts';
import { compilePhrases } from '../text/phrases.ts';

type Rule = Pick<PhraseCheck, 'role' | 'where' | 'expect' | 'phrases' | 'ignore'>;

/** Answers a check from phrases in a part of the call. Evidence is what was found; the rationale says where it was looked for. */
export function answerPhraseCheck(check: PhraseCheck, facts: CallFacts): Finding {
  const { inside, outside } = findRule(check, facts);
  const quotes = (hits: readonly Hit[]): Finding['evidence'] =>
    hits.slice(0, 2).flatMap((hit) => quotePlaces(facts.conversation, hit));
  const fairQuotes = (hits: readonly Hit[]): Finding['evidence'] =>
    fairestFirst(hits, facts)
      .slice(0, 2)
      .flatMap((hit) => quoteFairly(facts, hit));
  const deed = describeDeed(check);
  const where = describePart(check.where);
  if (check.expect === 'absent') {
    if (inside.length === 0) return finding('pass', `${describeBan(check, null)} ${where}.`);
    const rationale = `${describeBan(check, saidAt(facts, inside[0]))} ${where}.`;
    return { ...finding('fail', rationale, quotes(inside)), ...timeOf(inside[0]) };
  }
  if (inside.length > 0) return finding('pass', `${deed.met} ${where}.`, fairQuotes(inside));
  const exempted = exemptionOf(check.exemptions, facts);
  if (exempted !== null) return finding('not_applicable', exempted);
  if (check.elsewhere === 'partial') {
    const further = check.elsewherePhrases ? findRule({ ...check, phrases: check.elsewherePhrases }, facts) : null;
    const weaker = [...outside, ...(further ? [...further.inside, ...further.outside] : [])];
    if (weaker.length > 0) return finding('partial', `${deed.met}, but not ${where}.`, fairQuotes(weaker));
  }
  return finding('fail', `${deed.missed} ${where}.`);
}

/** The words of a hit as the transcript has them. */
export function saidAt({ conversation }: CallFacts, hit: Hit | undefined): string {
  return hit ? speech(conversation, hit) : '';
}

/** Words that stand beside something rude come last: they speak for nobody. */
function fairestFirst(hits: readonly Hit[], { conversation, slights }: CallFacts): Hit[] {
  const isBeside = (hit: Hit): boolean => hasSlightBeside(conversation.tokens, slights, hit.from);
  return slights.length === 0 ? [...hits] : hits.toSorted((a, b) => Number(isBeside(a)) - Number(isBeside(b)));
}

function timeOf(hit: Hit | undefined): { atMs?: number } {
  return hit ? { atMs: hit.turn.startMs } : {};
}

/** The hits of a rule in its part of the call, and those outside. */
export function findRule(rule: Rule, facts: CallFacts): { inside: Hit[]; outside: Hit[] } {
  const { finder } = facts;
  const side: Side = rule.role;
  const ignored = rule.ignore ? finder.find(phraseSet(rule.ignore), side) : [];
  const isInside = partOf(rule.where, side, facts);
  const inside: Hit[] = [];
  const outside: Hit[] = [];
  for (const hit of finder.find(phraseSet(rule.phrases), side)) {
    if (ignored.some((other) => isHiddenBy(hit, other))) continue;
    (isInside(hit) ? inside : outside).push(hit);
  }
  return { inside, outside };
}

/** A phrase to ignore hides the hits that it reaches beyond: "nothing else" hides "else I can do". */
function isHiddenBy(hit: Hit, other: Hit): boolean {
  const isTouched = other.from < hit.to && hit.from < other.to;
  return isTouched && (other.from < hit.from || other.to > hit.to);
}

/** Compiled sets belong to the array that they were made from, so a rubric is compiled once. */
const compiled = new WeakMap<readonly string[], PhraseSet>();

function phraseSet(phrases: readonly string[]): PhraseSet {
  const known = compiled.get(phrases);
  if (known) return known;
  const set = compilePhrases(phrases);
  compiled.set(phrases, set);
  return set;
}

function partOf(part: Part, side: Side, facts: CallFacts): (hit: Hit) => boolean {
  const { conversation, opening, ending } = facts;
  const startOf = ({ from }: Hit): number => conversation.tokens[from]?.utterance.segment.startMs ?? 0;
  switch (part.part) {
    case 'whole':
      return () => true;
    case 'firstTurns': {
      const turns = new Set(turnsOf(facts, side).slice(0, part.turns));
      return ({ turn }) => turns.has(turn);
    }
    case 'lastTurns': {
      const turns = new Set(turnsOf(facts, side).slice(-part.turns));
      return ({ turn, from }) => turns.has(turn) && from >= opening.greetingTo;
    }
    case 'firstSeconds':
      return (hit) => startOf(hit) < part.seconds * 1000;
    case 'secondHalf': {
      const middleMs = conversation.startMs + (conversation.endMs - conversation.startMs) / 2;
      return (hit) => wordStart(facts, hit) >= middleMs;
    }
    case 'betweenGreetingAndClosing':
      return ({ from }) => from >= opening.greetingTo && from < ending.closingFrom;
    default:
      return part satisfies never;
  }
}

/** Where in a long segment the words stand, by their share of its text. */
function wordStart({ conversation }: CallFacts, { from }: Hit): number {
  const token = conversation.tokens[from];
  if (!token) return 0;
  const { startMs, endMs, text } = token.utterance.segment;
  return text.length === 0 ? startMs : startMs + ((endMs - startMs) * token.from) / text.length;
}

function turnsOf({ conversation }: CallFacts, side: Side): Turn[] {
  if (side === 'anyone') return conversation.turns;
  return side === 'agent' ? conversation.agentTurns : conversation.customerTurns;
}

export function describePart(part: Part): string {
  switch (part.part) {
    case 'whole':
      return 'in the call';
    case 'firstTurns':
      return part.turns === 1 ? 'in the first turn' : `in the first ${countWord(part.turns)} turns`;
    case 'lastTurns':
      return part.turns === 1 ? 'in the last turn' : `in the last ${countWord(part.turns)} turns`;
    case 'firstSeconds':
      return `in the first ${String(part.seconds)} seconds`;
    case 'secondHalf':
      return 'in the second half of the call';
    case 'betweenGreetingAndClosing':
      return 'between greeting and closing';
    default:
      return part satisfies never;
  }
}
