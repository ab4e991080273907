import type { Conversation } from './conversation.ts';
import { readConversation } from './conversation.ts';
import type { Ending } from './ending.ts';
import { readEnding } from './ending.ts';
import type { Finder } from './finder.ts';
import { createFinder } from './finder.ts';
import { languageOf } from './language.ts';
import type { Measurements } from './metrics.ts';
import { measureCall } from './metrics.ts';
import type { Naming } from './naming.ts';
import { readNaming } from './naming.ts';
import type { Need } from './need.ts';
import { findNeed } from './need.ts';
import type { Opening } from './opening.ts';
import { readOpening } from './opening.ts';
import type { Question } from './questions.ts';
import { findQuestions } from './questions.ts';
import type { Result } from './results.ts';
import { findResults } from './results.ts';
import type { Slight } from './slights.ts';
import { findSlights } from './slights.ts';
import type { Transcript } from '../model/transcript.ts';

/** Everything that several checks look at, read once from a call. */
export type CallFacts = {
  conversation: Conversation;
  /** Of the call, as the transcript says or its words tell (`en`); null where neither does. */
  language: string | null;
  finder: Finder;
  measurements: Measurements;
  naming: Naming;
  /** As the record has it. */
  agentName: string | null;
  need: Need | null;
  opening: Opening;
  ending: Ending;
  questions: Question[];
  results: Result[];
  /** What the agent says that is rude. */
  slights: Slight[];
};

export function readFacts(input: { transcript: Transcript; durationMs: number; agentName: string | null }): CallFacts {
  const conversation = readConversation(input.transcript, input.durationMs, input.agentName);
  const language = languageOf(input.transcript.language, conversation.tokens);
  const finder = createFinder(conversation);
  const naming = readNaming({ conversation, finder, agentName: input.agentName, language });
  const need = findNeed(conversation, finder);
  const questions = findQuestions(conversation, finder);
  return {
    conversation,
    language,
    finder,
    measurements: measureCall(conversation, language),
    naming,
    agentName: input.agentName,
    need,
    opening: readOpening({ conversation, finder, naming, need }),
    ending: readEnding(conversation, finder, need),
    questions,
    results: findResults({ conversation, finder, need, questions }),
    slights: findSlights(conversation, finder),
  };
}
