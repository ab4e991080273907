import type { Check, CheckDetector, ModelCheck } from '../../model/checks.ts';
import type { Finding } from '../findings/answer.ts';
import { finding } from '../findings/answer.ts';
import { detectAccepted } from '../detectors/accepted.ts';
import { detectCompany, detectOwnName } from '../detectors/company.ts';
import { detectDetails } from '../detectors/details.ts';
import { detectHold } from '../detectors/hold.ts';
import { detectResolved } from '../detectors/resolved.ts';
import { detectRespect } from '../detectors/respect.ts';
import { detectUnderstood } from '../detectors/understood.ts';
import { exemptionOf } from '../findings/exemptions.ts';
import type { CallFacts } from '../facts/facts.ts';
import type { Scope } from './conditions.ts';
import { answerMetricCheck } from './metric-check.ts';
import { answerPhraseCheck } from './phrase-check.ts';
import { unread, unreadable } from './unjudged.ts';

const DETECTORS: Record<CheckDetector, (facts: CallFacts) => Finding> = {
  company: detectCompany,
  ownName: detectOwnName,
  understood: detectUnderstood,
  details: detectDetails,
  resolved: detectResolved,
  accepted: detectAccepted,
  respect: detectRespect,
  hold: detectHold,
};

/** Answers one check of a rubric, whose condition is met, with the rules engine. */
export function answerCheck(check: Check, { facts, isCovered }: Scope): Finding {
  switch (check.kind) {
    case 'phrase':
      return isCovered ? answerPhraseCheck(check, facts) : unreadable(facts);
    case 'metric':
      return answerMetricCheck(check, facts);
    case 'model':
      return answerModelCheck(check, facts);
    default:
      return check satisfies never;
  }
}

function answerModelCheck(check: ModelCheck, facts: CallFacts): Finding {
  if (!check.detector) return finding('needs_review', facts.messages.answers.doubts.onlyPerson);
  if (facts.languages.doubt !== null) return answerUnread(check, facts);
  const found = DETECTORS[check.detector](facts);
  if (found.answer === 'not_applicable') return found;
  if (found.answer === 'pass') return found;
  const exempted = exemptionOf(check.exemptions, facts);
  return exempted === null ? found : finding('not_applicable', exempted);
}

/** Where words cannot be judged: only what is plain without them, such as that nothing is said, still rules a check out. */
function answerUnread(check: ModelCheck, facts: CallFacts): Finding {
  const plain = check.exemptions.filter((each) => each === 'noCustomerSpeech' || each === 'unknownSpeakers');
  const exempted = exemptionOf(plain, facts);
  if (exempted !== null) return finding('not_applicable', exempted);
  const silence = check.detector === 'hold' ? detectHold(facts) : null;
  return silence?.answer === 'not_applicable' ? silence : unread(facts);
}
