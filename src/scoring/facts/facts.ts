import { readFor, type Reading } from '../accusations/reading.ts';
import type { Sign } from '../accusations/sign.ts';
import { findSigns } from '../accusations/signs.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { readConversation, withRoles } from '../conversation/conversation.ts';
import type { Ending } from './ending.ts';
import { readEnding } from './ending.ts';
import type { Finder } from '../conversation/finder.ts';
import { createFinder } from '../conversation/finder.ts';
import type { Measurements } from './metrics.ts';
import { measureCall } from './metrics.ts';
import type { Naming } from './naming.ts';
import { readNaming } from './naming.ts';
import type { Need } from './need.ts';
import { findNeed } from './need.ts';
import type { Opening } from './opening.ts';
import { readOpening } from './opening.ts';
import { messagesIn } from '../messages/messages.ts';
import type { Messages } from '../messages/table.ts';
import type { SpokenQuestion } from './questions.ts';
import { findQuestions } from './questions.ts';
import type { Result } from './results.ts';
import { findResults } from './results.ts';
import { soberMoods } from './sentiment.ts';
import type { Slight } from '../accusations/slights.ts';
import { findSlights } from '../accusations/slights.ts';
import type { SpeakerRole, Transcript } from '../../model/transcript.ts';
import { readLanguages, type SpokenLanguages } from '../languages/spoken-languages.ts';

/** Everything that several checks look at, read once from a call. */
export type CallFacts = {
  conversation: Conversation;
  /** Of the call, as the transcript says or its words tell (`en`); null where neither does. */
  language: string | null;
  languages: SpokenLanguages;
  /** In the language of the report. */
  messages: Messages;
  finder: Finder;
  measurements: Measurements;
  naming: Naming;
  /** As the record has it. */
  agentName: string | null;
  need: Need | null;
  opening: Opening;
  ending: Ending;
  questions: SpokenQuestion[];
  results: Result[];
  /** Signs of hostility in what the agent says, and how they are read. */
  reading: Reading;
  signs: Sign[];
  /** What the agent says that is rude, or may be. */
  slights: Slight[];
};

export function readFacts(input: { transcript: Transcript; durationMs: number; agentName: string | null }): CallFacts {
  const { transcript, durationMs, agentName } = input;
  const conversation = readConversation(transcript, durationMs, agentName);
  const languages = readLanguages(transcript.language, conversation);
  return factsOf({ conversation, finder: createFinder(conversation), languages, agentName });
}

/** Of the same words with other roles: what was looked for is looked for again only where turns end elsewhere. */
export function hearAgain(facts: CallFacts, roleOf: (role: SpeakerRole) => SpeakerRole): CallFacts {
  const { languages, agentName } = facts;
  const conversation = withRoles(facts.conversation, roleOf);
  return factsOf({ conversation, finder: createFinder(conversation, facts.finder.searches), languages, agentName });
}

type Heard = Pick<CallFacts, 'conversation' | 'finder' | 'languages' | 'agentName'>;

function factsOf({ conversation, finder, languages, agentName }: Heard): CallFacts {
  const { language } = languages;
  const naming = readNaming({ conversation, finder, agentName, language });
  const need = findNeed(conversation, finder);
  const reading = readFor({ conversation, finder }, language);
  const signs = findSigns(reading);
  const slights = findSlights(reading, signs);
  const questions = findQuestions(conversation, finder);
  return {
    conversation,
    language,
    languages,
    messages: messagesIn(languages.reportIn),
    finder,
    measurements: soberly(measureCall(conversation, language), slights),
    naming,
    agentName,
    need,
    opening: readOpening({ conversation, finder, naming, need }),
    ending: readEnding(conversation, finder, need),
    questions,
    results: findResults({ conversation, finder, need, questions }),
    reading,
    signs,
    slights,
  };
}

/** An agent who is surely rude does not sound friendly. */
function soberly(measured: Measurements, slights: readonly Slight[]): Measurements {
  const isRude = slights.some(({ strength }) => strength === 'clear');
  const sentiment = soberMoods(measured.metrics.sentiment, { isRude, hasObjected: false });
  return { ...measured, metrics: { ...measured.metrics, sentiment } };
}
