import type { OrgTx } from '../../db/scope.ts';
import { newId } from '../../lib/ids.ts';
import type { Metrics, Scores } from '../analyses/schemas.ts';
import { emitEvents } from '../events.ts';
import { fireRules, insertAlertEvents, type Fired } from './queries.ts';
import type { AlertEvent } from './schemas.ts';

type Subject = {
  recordId: string;
  analysisId: string;
  projectId: string;
  agentName: string | null;
  durationSeconds: number | null;
  scores: Scores;
  metrics: Metrics | null;
} & (
  | { cause: Extract<AlertEvent['cause'], 'analysis'> }
  /** What counted until this review. */
  | { cause: Extract<AlertEvent['cause'], 'review'>; scoresBefore: Scores }
);

/**
 * Holds the current analysis of a record against the rules of its project and of the organization, in the transaction
 * that made it current or changed its scores; a review fires those alone that it makes true. The caller holds the
 * record, so no rule fires twice for one version.
 */
export async function evaluateAlerts(tx: OrgTx, subject: Subject): Promise<void> {
  const { recordId, analysisId, projectId, agentName, scores, cause } = subject;
  const facts = factsOf(subject);
  const factsBefore = subject.cause === 'review' ? factsOf({ ...subject, scores: subject.scoresBefore }) : null;
  const at = new Date();
  const fired = await fireRules(tx, { analysisId, projectId, facts, factsBefore, at });
  if (fired.length === 0) return;
  const firings = fired.flatMap((rule) => {
    const value = facts[rule.field];
    return value === undefined ? [] : [{ id: newId('event'), rule, value }];
  });
  await Promise.all([
    insertAlertEvents(
      tx,
      firings.map(({ id, rule, value }) => {
        const { id: alertId, severity, field, operator, value: threshold } = rule;
        const place = { id, alertId, analysisId, recordId, projectId };
        return { ...place, cause, severity, field, operator, threshold, value, triggeredAt: at };
      }),
    ),
    emitEvents(
      tx,
      firings.map(({ id, rule, value }) => ({
        id,
        type: 'alert.triggered' as const,
        data: {
          ...aboutRule(rule),
          value,
          cause,
          recordId,
          analysisId,
          projectId,
          agentName,
          qualityScore: scores.qualityScore,
          complianceStatus: scores.complianceStatus,
          triggeredAt: at.toISOString(),
        },
        dedupeKey: `alert.triggered:${rule.id}:${analysisId}`,
      })),
    ),
  ]);
}

function aboutRule({ id, name, severity, actions, field, operator, value }: Fired) {
  return { alertId: id, name, severity, actions, condition: { field, operator, value } };
}

/** By field of a condition; what a call does not have is left out, and meets no condition. */
function factsOf({
  scores,
  metrics,
  durationSeconds,
}: Pick<Subject, 'scores' | 'metrics' | 'durationSeconds'>): Record<string, number | string> {
  const categories = Object.entries(scores.categories).map(([key, score]) => [`categories.${key}`, score] as const);
  const facts = [
    ['qualityScore', scores.qualityScore],
    ['complianceStatus', scores.complianceStatus],
    ['duration', durationSeconds],
    ['talkRatio', metrics?.talkRatio],
    ['nonTalkTimeMs', metrics?.nonTalkTimeMs],
    ['interruptions', metrics && metrics.interruptions.agent + metrics.interruptions.customer],
    ['sentiment', metrics?.sentiment.overall],
    ...categories,
  ] as const;
  return Object.fromEntries(
    facts.flatMap(([field, value]) => (value === null || value === undefined ? [] : [[field, value]])),
  );
}
