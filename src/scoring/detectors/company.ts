import type { CallFacts } from '../facts/facts.ts';
import type { Finding } from '../findings/answer.ts';
import { finding } from '../findings/answer.ts';
import { quotePlaces } from '../findings/evidence.ts';
import { wordsOf } from '../conversation/finder.ts';

export function detectCompany({ conversation, naming, opening, messages }: CallFacts): Finding {
  const { company, exempt } = messages.answers;
  if (naming.company) {
    return finding('pass', company.pass, quotePlaces(conversation, naming.company));
  }
  if (opening.isMidCall) return finding('not_applicable', exempt.midCallStart);
  return finding('fail', company.fail);
}

export function detectOwnName({ conversation, naming, opening, messages }: CallFacts): Finding {
  const { name: say, exempt } = messages.answers;
  const { ownName } = naming;
  if (ownName) {
    const name = wordsOf(conversation.tokens, ownName.from, ownName.to).filter((word) => word !== 'speaking');
    return {
      ...finding('pass', say.pass, quotePlaces(conversation, ownName)),
      notes: name.slice(-1),
    };
  }
  if (opening.isMidCall) return finding('not_applicable', exempt.midCallStart);
  return finding('fail', say.fail);
}
