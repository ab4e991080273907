import type { Finding } from '../findings/answer.ts';
import { clock } from '../messages/format.ts';
import { titleIn } from '../messages/messages.ts';
import type { ReportInput } from './input.ts';

/** A note for each broken rule: what to do instead. Rules that are only in doubt are for the supervisor, not the agent. */
export function complianceAdvice({ facts, rubric, complianceFindings, findings }: ReportInput): string[] {
  const { messages } = facts;
  const say = messages.coaching;
  return complianceFindings
    .filter(({ answer }) => answer === 'fail')
    .map(({ key, title, rationale }) => {
      const found = findings.get(key);
      const at = momentsOf(found);
      const rule = rubric.compliance.find((each) => each.key === key);
      const detector = rule?.kind === 'model' && !found?.isByModel ? rule.detector : null;
      if (detector === 'sensitiveData') return say.secrets(found?.secrets ?? [], at);
      if (detector === 'pressure') return say.pressure(found?.pressure ?? [], at);
      const named = titleIn(messages, title);
      if (rule?.kind === 'phrase' && rule.expect === 'present') return say.sayEarly(named, rationale);
      return say.broken(named, rationale, at);
    });
}

/** Every moment that a quote shows, as the evidence names it. */
function momentsOf(found: Finding | undefined): string[] {
  return [...new Set(found?.evidence.map(({ startMs }) => clock(startMs)))];
}
