import { measurePhrase } from './text/compile-phrases.ts';
import type { Category, Check, ComplianceRule, Condition } from './checks.ts';

export type Contradiction = { path: (string | number)[]; message: string };
type Parts = { languages?: string[] | undefined; categories: Category[]; compliance: ComplianceRule[] };
type Path = (string | number)[];
type Placed<T> = { rule: T; path: Path };

/** Total positions over all variants of all phrases; the cost of compiling and matching a rubric grows with it. */
const PLACES_MAX = 60_000;

/** Parts that are valid by themselves but contradict each other, each with its path. */
export function contradictions({ languages, categories, compliance }: Parts): Contradiction[] {
  const checks = categories.flatMap((category, index) =>
    category.checks.map((rule, place): Placed<Check> => ({ rule, path: ['categories', index, 'checks', place] })),
  );
  const rules = compliance.map((rule, index): Placed<ComplianceRule> => ({ rule, path: ['compliance', index] }));
  return [
    ...repeatedKeys(
      categories.map((rule, index) => ({ rule, path: ['categories', index] })),
      'category',
    ),
    ...repeatedKeys(checks, 'check'),
    ...repeatedKeys(rules, 'compliance rule'),
    ...sharedKeys(checks, rules),
    ...withoutWeight(categories),
    ...repeatedLanguages(languages ?? []),
    ...[...checks, ...rules].flatMap((placed) => strayLanguages(placed, languages ?? [])),
    ...[...checks, ...rules].flatMap((placed) => badReference(placed, checks)),
    ...tooManyPhrases([...checks, ...rules]),
  ];
}

function repeatedKeys(placed: Placed<{ key: string }>[], what: string): Contradiction[] {
  const seen = new Set<string>();
  return placed.flatMap(({ rule: { key }, path }) => {
    if (!seen.has(key)) return seen.add(key) && [];
    return [{ path: [...path, 'key'], message: `Another ${what} already has the key "${key}".` }];
  });
}

/** Findings are identified by their key alone. */
function sharedKeys(checks: Placed<Check>[], rules: Placed<ComplianceRule>[]): Contradiction[] {
  const keys = new Set(checks.map(({ rule }) => rule.key));
  return rules
    .filter(({ rule }) => keys.has(rule.key))
    .map(({ rule, path }) => ({ path: [...path, 'key'], message: `A check already has the key "${rule.key}".` }));
}

function withoutWeight(categories: Category[]): Contradiction[] {
  const sum = (parts: { weight: number }[]): number => parts.reduce((total, part) => total + part.weight, 0);
  const empty = categories.flatMap(({ key, checks }, index) =>
    sum(checks) > 0
      ? []
      : [{ path: ['categories', index, 'checks'], message: `The checks of "${key}" have no weight.` }],
  );
  if (sum(categories) > 0) return empty;
  return [...empty, { path: ['categories'], message: 'The categories have no weight: at least one must be above 0.' }];
}

function repeatedLanguages(languages: string[]): Contradiction[] {
  return languages.flatMap((language, index) =>
    languages.indexOf(language) === index
      ? []
      : [{ path: ['languages', index], message: `The language "${language}" is named twice.` }],
  );
}

/** Wordings in a language that the profile does not list would never be used: a mistake. */
function strayLanguages({ rule, path }: Placed<Check | ComplianceRule>, languages: string[]): Contradiction[] {
  if (languages.length === 0) return [];
  return wordingsOf(rule).flatMap(({ translations, path: inner }) =>
    Object.keys(translations ?? {})
      .filter((language) => !languages.slice(1).includes(language))
      .map((language) => ({
        path: [...path, ...inner, 'translations', language],
        message:
          language === languages[0]
            ? `"${language}" is the first language of this profile: its words belong into \`phrases\`.`
            : `"${language}" is not among the languages of this profile.`,
      })),
  );
}

function badReference({ rule, path }: Placed<Check | ComplianceRule>, checks: Placed<Check>[]): Contradiction[] {
  const condition = rule.appliesWhen;
  if (condition?.kind !== 'answer') return [];
  const place = [...path, 'appliesWhen', 'check'];
  const named = checks.find((each) => each.rule.key === condition.check)?.rule;
  if (!named) return [{ path: place, message: `There is no check with the key "${condition.check}".` }];
  if (named === rule) return [{ path: place, message: 'A check cannot depend on its own answer.' }];
  return named.appliesWhen?.kind === 'answer'
    ? [{ path: place, message: `"${condition.check}" depends on an answer itself: name a check that does not.` }]
    : [];
}

type Wordings = Pick<Extract<Condition, { kind: 'phrase' }>, 'phrases' | 'ignore' | 'translations'> & {
  elsewherePhrases?: string[] | undefined;
  path: Path;
};

function wordingsOf(rule: Check | ComplianceRule): Wordings[] {
  const { appliesWhen } = rule;
  return [
    ...(rule.kind === 'phrase' ? [{ ...rule, path: [] }] : []),
    ...(appliesWhen?.kind === 'phrase' ? [{ ...appliesWhen, path: ['appliesWhen'] }] : []),
  ];
}

function tooManyPhrases(placed: Placed<Check | ComplianceRule>[]): Contradiction[] {
  let places = 0;
  for (const { rule, path } of placed) {
    for (const { translations, ...own } of wordingsOf(rule)) {
      for (const { phrases, ignore, elsewherePhrases } of [own, ...Object.values(translations ?? {})]) {
        for (const phrase of [...phrases, ...(ignore ?? []), ...(elsewherePhrases ?? [])]) {
          const measured = measurePhrase(phrase);
          places += measured.variants * measured.places;
        }
      }
    }
    if (places > PLACES_MAX) {
      const message = `Up to here the phrases have more than ${String(PLACES_MAX)} words, every combination of alternatives counted: a profile holds no more.`;
      return [{ path, message }];
    }
  }
  return [];
}
