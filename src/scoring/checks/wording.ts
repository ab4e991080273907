import type { Translations, Wording } from '../../model/rubric-parts.ts';
import type { PhraseSet } from '../../model/text/compile-phrases.ts';
import { compilePhrases } from '../../model/text/compile-phrases.ts';

type Spoken = Wording & { translations?: Translations | undefined };

/**
 * What a rule listens for in a call of this language: the wording of the language where there is one, else the first
 * one. Where the language is not known, all of them at once.
 */
export function wordingFor(rule: Spoken, language: string | null): Wording {
  const { translations } = rule;
  if (!translations) return rule;
  if (language === null) return inAllLanguages(rule, translations);
  return Object.hasOwn(translations, language) ? (translations[language] ?? rule) : rule;
}

/** Made once for a rubric, since compiled phrases are kept by the list that they come from. */
const joined = new WeakMap<Translations, Wording>();

function inAllLanguages(rule: Spoken, translations: Translations): Wording {
  const known = joined.get(translations);
  if (known) return known;
  const all: Wording[] = [rule, ...Object.values(translations)];
  const lists = (name: 'ignore' | 'elsewherePhrases'): string[] => all.flatMap((wording) => wording[name] ?? []);
  const [ignore, elsewherePhrases] = [lists('ignore'), lists('elsewherePhrases')];
  const wording: Wording = {
    phrases: all.flatMap(({ phrases }) => phrases),
    ...(ignore.length > 0 && { ignore }),
    ...(elsewherePhrases.length > 0 && { elsewherePhrases }),
  };
  joined.set(translations, wording);
  return wording;
}

/** Compiled sets belong to the list that they were made from, so a rubric is compiled once. */
const compiled = new WeakMap<readonly string[], PhraseSet>();

export function phraseSet(phrases: readonly string[]): PhraseSet {
  const known = compiled.get(phrases);
  if (known) return known;
  const set = compilePhrases(phrases);
  compiled.set(phrases, set);
  return set;
}
