import type { Concept } from '../lexicon/phrasebook.ts';
import { PHRASEBOOKS } from '../lexicon/phrasebooks.ts';
import { ROLE_ACTS } from '../lexicon/role-acts.ts';
import { AGENT_CUES_ABROAD, CUSTOMER_CUES_ABROAD } from '../lexicon/role-cues-abroad.ts';
import { AGENT_CUES, CUSTOMER_CUES } from '../lexicon/role-cues.ts';
import { ROLE_MOVES } from '../lexicon/role-moves.ts';
import { ROLE_QUESTIONS } from '../lexicon/role-questions.ts';
import { compilePhrases, type Element } from '../../model/text/compile-phrases.ts';
import { push } from '../../model/text/multimap.ts';
import { TURNING, WEAK } from '../../model/text/small-words.ts';
import type { Token } from '../../model/text/tokens.ts';
import { hashOf } from './feature-id.ts';

type Act = { elements: readonly Element[]; ids: readonly number[] };
/** Acts that begin with a word: by the word that follows it, and those where any may follow. */
type Starts = { byNext: Map<string, Act[]>; others: Act[] };

const GAP_WORDS_MAX = 3;
const SKIPS_MAX = 2;

/**
 * The acts of speech in an utterance, as features. Phrases are looked for as they are said, but for small words that slip
 * in: there are thousands, and one that is misheard is made up for by the others.
 */
export function heardActs(tokens: readonly Token[]): Set<number> {
  known ??= compile();
  const heard = new Set<number>();
  for (const [at, { word }] of tokens.entries()) {
    const starts = known.get(word);
    if (!starts) continue;
    hearAll(starts.others, { tokens, at, heard });
    for (let next = at + 1; next <= at + 1 + SKIPS_MAX; next += 1) {
      const following = tokens[next]?.word ?? '';
      hearAll(starts.byNext.get(following), { tokens, at, heard });
      if (!WEAK.has(following)) break;
    }
  }
  return heard;
}

let known: ReadonlyMap<string, Starts> | undefined;

type Hearing = { tokens: readonly Token[]; at: number; heard: Set<number> };

function hearAll(acts: readonly Act[] | undefined, { tokens, at, heard }: Hearing): void {
  if (!acts) return;
  for (const { elements, ids } of acts) {
    if (ids.some((id) => !heard.has(id)) && isSaid(tokens, elements, { at: at + 1, element: 1, skips: SKIPS_MAX }))
      for (const id of ids) heard.add(id);
  }
}

type State = { at: number; element: number; skips: number };

function isSaid(tokens: readonly Token[], elements: readonly Element[], { at, element: index, skips }: State): boolean {
  const element = elements[index];
  if (!element) return true;
  if (element.isGap) {
    for (let words = 0; words <= GAP_WORDS_MAX; words += 1) {
      if (isSaid(tokens, elements, { at: at + words, element: index + 1, skips })) return true;
      const passed = tokens[at + words];
      if (!passed || TURNING.has(passed.word) || passed.pause === 'stop') return false;
    }
    return false;
  }
  const token = tokens[at];
  if (!token) return false;
  if (element.words.has(token.word) && isSaid(tokens, elements, { at: at + 1, element: index + 1, skips })) return true;
  return (
    skips > 0 && WEAK.has(token.word) && isSaid(tokens, elements, { at: at + 1, element: index, skips: skips - 1 })
  );
}

function compile(): Map<string, Starts> {
  const namesOf = namedPhrases();
  const starts = new Map<string, Starts>();
  for (const [word, phrases] of compilePhrases([...namesOf.keys()]).byWord) {
    const here: Starts = { byNext: new Map(), others: [] };
    for (const { elements, source } of phrases) {
      const [first, second] = elements;
      // What recognisers write as one word is not looked for.
      if (!first?.words.has(word)) continue;
      const act = { elements, ids: (namesOf.get(source) ?? []).map((name) => hashOf(`act ${name}`)) };
      if (!second || second.isGap) here.others.push(act);
      else for (const next of second.words) push(here.byNext, next, act);
    }
    starts.set(word, here);
  }
  return starts;
}

/** Every phrase that tells something, with the names of what it tells. */
function namedPhrases(): Map<string, string[]> {
  const namesOf = new Map<string, string[]>();
  const add = (name: string, phrases: readonly string[]): void => {
    for (const phrase of phrases) push(namesOf, phrase, name);
  };
  for (const [name, phrases] of Object.entries({ ...ROLE_ACTS, ...ROLE_QUESTIONS, ...ROLE_MOVES })) add(name, phrases);
  for (const book of Object.values(PHRASEBOOKS)) {
    for (const concept of Object.keys(book) as Concept[]) add(`book ${concept}`, book[concept]);
  }
  for (const { weight, phrases } of [...AGENT_CUES, ...AGENT_CUES_ABROAD]) add(`agent ${weight}`, phrases);
  for (const { weight, phrases } of [...CUSTOMER_CUES, ...CUSTOMER_CUES_ABROAD]) add(`customer ${weight}`, phrases);
  return namesOf;
}
