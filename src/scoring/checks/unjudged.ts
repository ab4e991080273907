import type { Finding } from '../answer.ts';
import { finding } from '../answer.ts';
import type { CallFacts } from '../facts.ts';
import { nameOf } from '../language.ts';

/** Where a rubric has no words for the language of a call, that nothing is found means nothing. */
export function unreadable({ language }: CallFacts): Finding {
  return finding('needs_review', `The call is in ${nameOf(language ?? '')}, for which the profile has no words.`);
}

/** Where the rules engine does not read the language itself. */
export function unread({ language }: CallFacts): Finding {
  return finding(
    'needs_review',
    `The call is in ${nameOf(language ?? '')}, which only a person or a language model can judge.`,
  );
}
