import type { Finding } from '../findings/answer.ts';
import { finding } from '../findings/answer.ts';
import type { CallFacts } from '../facts/facts.ts';
import { nameOf } from '../languages/language.ts';

/** Where a rubric has no words for the language of a call, that nothing is found means nothing. */
export function unreadable(facts: CallFacts): Finding {
  const { doubt, spoken } = facts.languages;
  if (doubt !== null && spoken.length !== 1) return unread(facts);
  const { language, answers } = facts.messages;
  return finding('needs_review', answers.doubts.noWords(spoken.map((each) => nameOf(each, language))));
}

/** Where the rules engine does not read the language itself. */
export function unread({ languages, messages: { answers } }: CallFacts): Finding {
  return finding('needs_review', answers.doubts.unread(languages.doubt ?? answers.doubts.unclearLanguage));
}
