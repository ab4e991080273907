import type { Finding } from '../findings/answer.ts';
import { finding } from '../findings/answer.ts';
import type { CallFacts } from '../facts/facts.ts';
import { nameOf } from '../languages/language.ts';

/** Where a rubric has no words for the language of a call, that nothing is found means nothing. */
export function unreadable(facts: CallFacts): Finding {
  const { doubt, spoken } = facts.languages;
  if (doubt !== null && spoken.length !== 1) return unread(facts);
  const names = spoken.map(nameOf).join(' and ');
  return finding('needs_review', `The call is in ${names}, for which the profile has no words.`);
}

/** Where the rules engine does not read the language itself. */
export function unread({ languages }: CallFacts): Finding {
  return finding('needs_review', `${languages.doubt ?? ''}, which only a person or a language model can judge.`);
}
