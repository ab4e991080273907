import type { CallFacts } from '../facts/facts.ts';
import type { Finding } from '../findings/answer.ts';
import { finding } from '../findings/answer.ts';
import { quotePlaces } from '../findings/evidence.ts';
import { wordsOf } from '../conversation/finder.ts';

export function detectCompany({ conversation, naming, opening }: CallFacts): Finding {
  if (naming.company) {
    return finding(
      'pass',
      'The agent names the company or department at the start.',
      quotePlaces(conversation, naming.company),
    );
  }
  if (opening.isMidCall) return finding('not_applicable', 'The recording starts in the middle of the call.');
  return finding('fail', "Neither the company nor a department is named in the agent's first two turns.");
}

export function detectOwnName({ conversation, naming, opening }: CallFacts): Finding {
  const { ownName } = naming;
  if (ownName) {
    const name = wordsOf(conversation.tokens, ownName.from, ownName.to).filter((word) => word !== 'speaking');
    return {
      ...finding('pass', 'The agent gives their own name.', quotePlaces(conversation, ownName)),
      notes: name.slice(-1),
    };
  }
  if (opening.isMidCall) return finding('not_applicable', 'The recording starts in the middle of the call.');
  return finding('fail', 'The agent does not give their name in their first three turns.');
}
