import type { Translations, Wording } from '../../model/rubric-parts.ts';
import type { PhraseSet } from '../../model/text/compile-phrases.ts';
import { compilePhrases } from '../../model/text/compile-phrases.ts';

type Spoken = Wording & { translations?: Translations | undefined };

/**
 * The phrases of a rule for a call in this language: those of the language if there are any, else the first ones. All
 * of them if the language is unknown.
 */
export function wordingFor(rule: Spoken, language: string | null): Wording {
  const { translations } = rule;
  if (!translations) return rule;
  if (language === null) return inAllLanguages(rule, translations);
  return Object.hasOwn(translations, language) ? (translations[language] ?? rule) : rule;
}

/** Created once per rubric, since compiled phrases are cached by their list. */
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

/** Compiled sets are cached by the list that they come from, so a rubric is compiled once. */
const compiled = new WeakMap<readonly string[], PhraseSet>();

export function phraseSet(phrases: readonly string[]): PhraseSet {
  const known = compiled.get(phrases);
  if (known) return known;
  const set = compilePhrases(phrases);
  compiled.set(phrases, set);
  return set;
}
