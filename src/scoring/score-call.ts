import type { CheckResult, ComplianceFinding, Scorecard } from '../domain/analyses/schemas.ts';
import type { Rubric } from '../domain/profiles/rubric.ts';
import type { Transcript } from '../domain/records/transcript.ts';
import type { Finding } from './answer.ts';
import { finding } from './answer.ts';
import { complianceStatusOf, computeScores, scoreOfAnswer } from './arithmetic.ts';
import { answerCheck } from './checks/answer-check.ts';
import { answerRule } from './compliance/answer-rule.ts';
import { verifyEvidence } from './evidence.ts';
import type { CallFacts } from './facts.ts';
import { readFacts } from './facts.ts';
import { writeReport } from './report/report.ts';

export type ScoreCallInput = {
  transcript: Transcript;
  /** Length of the recording. */
  durationMs: number;
  rubric: Rubric;
  /** As the record has it; helps to hear the agent's name. */
  agentName?: string | null;
};

/**
 * Scores a call with the rules engine: metrics, an answer with evidence for every check, then the score by arithmetic.
 * Pure: the same input gives the same scorecard. What is said in the call is only ever matched, never followed.
 */
export function scoreCall({ transcript, durationMs, rubric, agentName }: ScoreCallInput): Scorecard {
  const facts = readFacts({ transcript, durationMs, agentName: agentName ?? null });
  const hasAgent = facts.conversation.agentTurns.length > 0;
  const texts = new Map(transcript.segments.map(({ id, text }) => [id, text]));
  const judge = (found: Finding): Finding => ({ ...found, evidence: verifyEvidence(texts, found.evidence) });
  const findings = new Map<string, Finding>();
  const checks = rubric.categories.flatMap((category) =>
    category.checks.map((check): CheckResult => {
      const found = judge(hasAgent ? answerCheck(check, facts) : silentAgent(facts));
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
      const found = judge(answerRule(rule, facts));
      findings.set(rule.key, found);
      const { answer, rationale, evidence } = found;
      return { key: rule.key, title: rule.title, severity: rule.severity, answer, rationale, evidence };
    });
  const scores = computeScores(rubric, checks);
  const complianceStatus = complianceStatusOf(complianceFindings);
  return {
    ...scores,
    complianceStatus,
    ...writeReport({ facts, rubric, checks, complianceFindings, findings, scores }),
    checks,
    complianceFindings,
    metrics: facts.measurements.metrics,
  };
}

function silentAgent({ conversation }: CallFacts): Finding {
  if (conversation.spoken.length === 0) return finding('not_applicable', 'Nothing is said in the recording.');
  if (!conversation.areSpeakersKnown)
    return finding('not_applicable', 'It could not be told who in the recording is the agent.');
  return finding('not_applicable', 'No agent speaks in the recording.');
}
