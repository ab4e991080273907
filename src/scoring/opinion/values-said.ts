import type { CallFacts } from '../facts/facts.ts';
import { isRead } from '../languages/language.ts';
import { meaningNamed, meaningsOf } from '../lexicon/meanings/meanings.ts';
import { saidIn } from './told.ts';

/** Words of these meanings, and figures, are what details are made of. */
const VALUES: ReadonlySet<number> = new Set(
  ['figure', 'ordinal', 'weekday', 'month', 'clock', 'money_amount'].map(meaningNamed),
);
/** Within so many utterances something that was said may be read back. */
const READ_BACK_WITHIN = 8;

const known = new WeakMap<CallFacts, number[]>();

type Valued = { isAgent: boolean; values: ReadonlySet<string> };

/** Of the figures, days and amounts that a call has: what the customer gives, what of it the agent repeats, and what the agent alone says. */
export function readValues(facts: CallFacts): number[] {
  const read = known.get(facts) ?? countValues(facts);
  known.set(facts, read);
  return read;
}

function countValues(facts: CallFacts): number[] {
  const said = valuesOf(facts);
  const by = (isAgent: boolean): Set<string> =>
    new Set(said.flatMap((each) => (each.isAgent === isAgent ? [...each.values] : [])));
  const [agents, customers] = [by(true), by(false)];
  const given = said.flatMap((each, at) => (!each.isAgent && each.values.size > 0 ? [{ at, ...each }] : []));
  const confirmed = given.filter(({ at, values }) =>
    said.slice(at + 1, at + 1 + READ_BACK_WITHIN).some((each) => each.isAgent && !each.values.isDisjointFrom(values)),
  ).length;
  const repeated = given.filter(({ values }) => !values.isDisjointFrom(agents)).length;
  const own = said.flatMap(({ isAgent, values }, at) => (isAgent && !values.isSubsetOf(customers) ? [at] : []));
  const answered = own.filter((at) => said[at + 1]?.isAgent === false).length;
  const late = said.filter(({ isAgent, values }, at) => isAgent && values.size > 0 && 2 * at >= said.length).length;
  const counts = [
    given.length,
    confirmed,
    repeated,
    given.length - repeated,
    customers.size,
    customers.intersection(agents).size,
    agents.difference(customers).size,
    own.length,
    answered,
    late,
  ];
  return [given.length === 0 ? -1 : confirmed / given.length, ...counts.map((count) => Math.log1p(count))];
}

function valuesOf(facts: CallFacts): Valued[] {
  const { language } = facts;
  return saidIn(facts).map(({ role, tokens }) => {
    const words = tokens.flatMap(({ word }) => {
      const isValue =
        language !== null && isRead(language)
          ? meaningsOf(word, language).some((meaning) => VALUES.has(meaning))
          : /\d/u.test(word);
      return isValue ? [word] : [];
    });
    return { isAgent: role === 'agent', values: new Set(words) };
  });
}
