import type { Finding } from '../findings/answer.ts';
import type { ReportInput } from './input.ts';
import { clock, listWords } from './format.ts';

/** A note for each broken rule: what to do instead. Rules that are only in doubt are for the supervisor, not the agent. */
export function complianceAdvice({ rubric, complianceFindings, findings }: ReportInput): string[] {
  return complianceFindings
    .filter(({ answer }) => answer === 'fail')
    .map(({ key, title, rationale }) => {
      const found = findings.get(key);
      const when = momentsOf(found);
      const rule = rubric.compliance.find((each) => each.key === key);
      const detector = rule?.kind === 'model' && !found?.isByModel ? rule.detector : null;
      if (detector === 'sensitiveData') {
        return `Never say ${listWords(found?.notes ?? ['secret data'])} aloud, as happens${when}: let the customer enter it, or confirm only the last digits.`;
      }
      if (detector === 'pressure') return pressureAdvice(found?.notes ?? [], when);
      if (rule?.kind === 'phrase' && rule.expect === 'present')
        return `${title}: say it early in every call; ${rationale.charAt(0).toLowerCase()}${rationale.slice(1)}`;
      return `${title}: ${rationale.charAt(0).toLowerCase()}${rationale.slice(1).replace(/\.$/u, '')}${when === '' ? '' : ` (${when.trim().slice(3)})`}.`;
    });
}

/** Every moment that a quote shows, as the evidence names it: " at 0:25 and 0:34". */
function momentsOf(found: Finding | undefined): string {
  const moments = new Set(found?.evidence.map(({ startMs }) => clock(startMs)));
  return moments.size === 0 ? '' : ` at ${listWords([...moments])}`;
}

const INSTEAD: Record<string, string> = {
  'threatens the customer': 'do not threaten; name the options and the dates instead',
  'guarantees an outcome': 'do not promise an outcome that others decide; say what you will do and by when',
  'asks to keep the call secret':
    'never ask a customer to keep a call to themselves; what you offer must stand up to anyone hearing it',
  'presses for an answer at once': 'leave the customer time to decide',
};

function pressureAdvice(notes: readonly string[], when: string): string {
  const parts = notes.map((note) => INSTEAD[note]).filter((part) => part !== undefined);
  const text = parts.join('; ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)} (the agent ${listWords(notes)}${when}).`;
}
