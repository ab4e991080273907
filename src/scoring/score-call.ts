import type { CheckResult, ComplianceFinding, Scorecard } from '../domain/analyses/schemas.ts';
import type { Check, Rubric } from '../domain/profiles/rubric.ts';
import type { Transcript } from '../domain/records/transcript.ts';
import type { Finding } from './answer.ts';
import { finding } from './answer.ts';
import { complianceStatusOf, computeScores, scoreOfAnswer } from './arithmetic.ts';
import { answerCheck } from './checks/answer-check.ts';
import { answerRule } from './compliance/answer-rule.ts';
import { verifyEvidence } from './evidence.ts';
import type { CallFacts } from './facts.ts';
import { readFacts } from './facts.ts';
import { exemptionOf } from './exemptions.ts';
import type { ModelAnswers } from './model/answers.ts';
import { readModel, type ModelReading } from './model/reading.ts';
import { writeReport } from './report/report.ts';

export type ScoreCallInput = {
  transcript: Transcript;
  /** Length of the recording. */
  durationMs: number;
  rubric: Rubric;
  /** As the record has it; helps to hear the agent's name. */
  agentName?: string | null;
  /** What a language model answered, by windows of the call; without them the rules answer alone. */
  modelAnswers?: readonly ModelAnswers[] | null;
};

/**
 * Scores a call: metrics, an answer with evidence for every check by the rules or a language model, then the score by
 * arithmetic. Pure: the same input gives the same scorecard. What is said in the call is only ever matched, never
 * followed, and what a model says is believed as far as words of the call show it.
 */
export function scoreCall({ transcript, durationMs, rubric, agentName, modelAnswers }: ScoreCallInput): Scorecard {
  const facts = readFacts({ transcript, durationMs, agentName: agentName ?? null });
  const model = modelAnswers ? readModel({ facts, rubric, windows: modelAnswers }) : null;
  const hasAgent = facts.conversation.agentTurns.length > 0;
  const texts = new Map(transcript.segments.map(({ id, text }) => [id, text]));
  const judge = (found: Finding): Finding => ({ ...found, evidence: verifyEvidence(texts, found.evidence) });
  const findings = new Map<string, Finding>();
  const checks = rubric.categories.flatMap((category) =>
    category.checks.map((check): CheckResult => {
      const found = judge(hasAgent ? findFor(check, facts, model) : silentAgent(facts));
      findings.set(check.key, found);
      const { answer, rationale, evidence } = found;
      const { key, title, weight, critical } = check;
      return {
        key,
        category: category.key,
        title,
        weight,
        critical,
        answer,
        score: scoreOfAnswer(answer),
        rationale,
        evidence,
      };
    }),
  );
  const complianceFindings = rubric.compliance
    .filter(({ enabled }) => enabled)
    .map((rule): ComplianceFinding => {
      const byRules = answerRule(rule, facts);
      const found = judge(model ? model.settle({ of: 'rule', key: rule.key }, byRules) : byRules);
      findings.set(rule.key, found);
      const { answer, rationale, evidence } = found;
      return { key: rule.key, title: rule.title, severity: rule.severity, answer, rationale, evidence };
    });
  const scores = computeScores(rubric, checks);
  const complianceStatus = complianceStatusOf(complianceFindings);
  return {
    ...scores,
    complianceStatus,
    ...writeReport({ facts, rubric, checks, complianceFindings, findings, scores, model }),
    checks,
    complianceFindings,
    metrics: facts.measurements.metrics,
  };
}

/** The exemptions of a check hold whoever answers it. */
function findFor(check: Check, facts: CallFacts, model: ModelReading | null): Finding {
  const byRules = answerCheck(check, facts);
  if (!model) return byRules;
  const found = model.settle({ of: 'check', key: check.key }, byRules);
  if (found === byRules || found.answer === 'pass' || found.answer === 'not_applicable') return found;
  const exempted = exemptionOf(check.exemptions, facts);
  return exempted === null ? found : finding('not_applicable', exempted);
}

function silentAgent({ conversation }: CallFacts): Finding {
  if (conversation.spoken.length === 0) return finding('not_applicable', 'Nothing is said in the recording.');
  if (!conversation.areSpeakersKnown)
    return finding('not_applicable', 'It could not be told who in the recording is the agent.');
  return finding('not_applicable', 'No agent speaks in the recording.');
}
