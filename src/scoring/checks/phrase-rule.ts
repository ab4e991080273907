import type { Part, Translations, Wording } from '../../model/rubric-parts.ts';
import type { Turn } from '../conversation/conversation.ts';
import type { CallFacts } from '../facts/facts.ts';
import type { Hit, Side } from '../conversation/finder.ts';
import { isNegated } from '../conversation/finder.ts';
import type { Messages } from '../messages/table.ts';
import { phraseSet, wordingFor } from '../languages/wording.ts';

type Rule = Wording & {
  role: Side;
  where: Part;
  ignoreNegated?: boolean | undefined;
  translations?: Translations | undefined;
};
export type Found = { inside: Hit[]; outside: Hit[] };

/** The matches of a rule in its part of the call, and those outside. */
export function findRule(rule: Rule, facts: CallFacts): Found {
  const { conversation, finder, language } = facts;
  const side = rule.role;
  const { phrases, ignore } = wordingFor(rule, language);
  const ignored = ignore ? finder.findWithin(phraseSet(ignore), side) : [];
  const hits = finder.findWithin(phraseSet(phrases), side);
  const isInside = partOf(rule.where, side, facts);
  const found: Found = { inside: [], outside: [] };
  for (const hit of withoutHidden(hits, ignored)) {
    if (rule.ignoreNegated && isNegated(conversation.tokens, hit.from)) continue;
    (isInside(hit) ? found.inside : found.outside).push(hit);
  }
  return found;
}

/** Both lists are sorted, so each match is compared only with its neighbours. */
function withoutHidden(hits: readonly Hit[], ignored: readonly Hit[]): Hit[] {
  if (ignored.length === 0) return [...hits];
  let first = 0;
  return hits.filter((hit) => {
    while (first < ignored.length && (ignored[first]?.from ?? 0) < hit.from - SPAN_MAX) first += 1;
    for (let at = first; at < ignored.length; at += 1) {
      const other = ignored[at];
      if (!other || other.from >= hit.to) return true;
      if (isHiddenBy(hit, other)) return false;
    }
    return true;
  });
}

/** No match is longer: 30 positions, three gaps of three words, two skipped words, and words heard as two. */
const SPAN_MAX = 80;

/** A phrase to ignore hides the matches that it covers and exceeds: "nothing else" hides "else I can do". */
function isHiddenBy(hit: Hit, other: Hit): boolean {
  const isTouched = other.from < hit.to && hit.from < other.to;
  return isTouched && (other.from < hit.from || other.to > hit.to);
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
    case 'lastSeconds':
      return (hit) => wordStart(facts, hit) >= conversation.endMs - part.seconds * 1000;
    case 'firstHalf':
      return (hit) => wordStart(facts, hit) < middleOf(facts);
    case 'secondHalf':
      return (hit) => wordStart(facts, hit) >= middleOf(facts);
    case 'betweenGreetingAndClosing':
      return ({ from }) => from >= opening.greetingTo && from < ending.closingFrom;
    default:
      return part satisfies never;
  }
}

function middleOf({ conversation: { startMs, endMs } }: CallFacts): number {
  return startMs + (endMs - startMs) / 2;
}

/** The time of the words within a long segment, by their share of its text. */
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

/** "in the first two turns", in the language of the report. */
export function describePart(part: Part, { answers: { parts } }: Messages): string {
  switch (part.part) {
    case 'firstTurns':
      return parts.firstTurns(part.turns);
    case 'lastTurns':
      return parts.lastTurns(part.turns);
    case 'firstSeconds':
      return parts.firstSeconds(part.seconds);
    case 'lastSeconds':
      return parts.lastSeconds(part.seconds);
    case 'betweenGreetingAndClosing':
      return parts.middle;
    case 'whole':
    case 'firstHalf':
    case 'secondHalf':
      return parts[part.part];
    default:
      return part satisfies never;
  }
}
