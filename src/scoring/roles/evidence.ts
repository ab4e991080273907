import { AGENT_CUES, CUSTOMER_CUES, type RoleCue } from '../lexicon/role-cues.ts';
import { AGENT_CUES_ABROAD, CUSTOMER_CUES_ABROAD } from '../lexicon/role-cues-abroad.ts';
import { compilePhrases } from '../../model/text/compile-phrases.ts';
import { findPhrases } from '../text/phrases.ts';
import { createTokenReader, plainWord, type Token } from '../../model/text/tokens.ts';

const agentCues = compileCues([...AGENT_CUES, ...AGENT_CUES_ABROAD]);
const customerCues = compileCues([...CUSTOMER_CUES, ...CUSTOMER_CUES_ABROAD]);
const openingUtterances = 3;
const openingFactor = 1.5;

/** Roles show at both ends of a call: what one voice says is read up to here, however long it is. */
const firstTextsMax = 150;
const lastTextsMax = 50;
const textLengthMax = 1000;

/**
 * How much a voice sounds like the agent: points for it minus points against. A cue counts once, and half as much
 * again in the first words of the voice, where roles show most clearly.
 */
export function agentEvidence(texts: readonly string[], agentName: string | null): number {
  const read = createTokenReader();
  const near = texts.length > firstTextsMax ? texts.slice(0, firstTextsMax).concat(texts.slice(-lastTextsMax)) : texts;
  const said = near.map((text) => read(text.slice(0, textLengthMax)));
  const all = said.flat();
  const opening = said.slice(0, openingUtterances).flat();
  const points = (cues: Cues): number => {
    const early = heardCues(opening, cues);
    return [...heardCues(all, cues)].reduce((sum, cue) => sum + cue.weight * (early.has(cue) ? openingFactor : 1), 0);
  };
  return points(agentCues) - points(customerCues) + introduction(opening, agentName);
}

type Cues = { phrases: ReturnType<typeof compilePhrases>; cueOf: ReadonlyMap<string, RoleCue> };

function compileCues(cues: readonly RoleCue[]): Cues {
  return {
    phrases: compilePhrases(cues.flatMap(({ phrases }) => phrases)),
    cueOf: new Map(cues.flatMap((cue) => cue.phrases.map((phrase): [string, RoleCue] => [phrase, cue]))),
  };
}

function heardCues(tokens: readonly Token[], { phrases, cueOf }: Cues): Set<RoleCue> {
  return new Set(findPhrases(tokens, phrases).flatMap(({ phrase }) => cueOf.get(phrase) ?? []));
}

/** A name that the recogniser may have spelled in its own way: up to three words. */
const anyName = String.raw`[\p{L}']+(?: [\p{L}']+){0,2}`;
const withCompany = new RegExp(`(?:my name is|this is|i am) ${anyName} (?:from|with|at|speaking)(?: |$)`, 'u');

/** A name with the company it speaks for, or the name that the record gives for its agent. */
export function introduction(opening: readonly Token[], agentName: string | null): number {
  const words = opening.map(({ word }) => word);
  const text = words.join(' ');
  const first = /[\p{L}\p{M}']+/u.exec(plainWord(agentName ?? ''))?.[0] ?? '';
  const isNamed = first.length > 1 && words.some((word, at) => word === first && isOwnName(words, at));
  const isGreeted = first.length > 1 && words.some((word, at) => word === first && GREETINGS.has(words[at - 1] ?? ''));
  return (withCompany.test(text) ? 2 : 0) + (isNamed ? 4 : 0) - (isGreeted && !isNamed ? 3 : 0);
}

const GREETINGS = new Set(['hi', 'hello', 'hey', 'thanks', 'you']);

const OWN_NAME_LEADS = new Set(
  (
    'name is,this is,i am,it is,name ist,hier ist,hier spricht,sprechen mit,' +
    'nombre es,me llamo,le atiende,le habla,меня зовут,вами говорит'
  ).split(','),
);

function isOwnName(words: readonly string[], at: number): boolean {
  const before = [1, 2].map((back) => words.slice(Math.max(0, at - back - 1), at - back + 1).join(' '));
  if (before.some((text) => OWN_NAME_LEADS.has(text))) return true;
  return ['here', 'speaking'].includes(words[at + 1] ?? '');
}
