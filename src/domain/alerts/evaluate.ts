import type { OrgTx } from '../../db/scope.ts';
import { newId } from '../../lib/ids.ts';
import type { Metrics } from '../../model/scorecard.ts';
import type { Scores } from '../../model/analysis.ts';
import { verdictOf } from '../../model/analysis.ts';
import { newEvent, emitEvents } from '../events/service.ts';
import * as queries from './evaluation-queries.ts';

/** The analysis that rules are evaluated against. */
type Subject = {
  analysisId: string;
  projectId: string;
  durationSeconds: number | null;
  scores: Scores;
  /** The scores before a review; null if the analysis has just become current. */
  scoresBefore: Scores | null;
  metrics: Metrics | null;
};

/**
 * Orders an evaluation of the rules, in the transaction that makes an analysis current or changes its scores. Does
 * nothing if no rule could fire: none is met, or those that are met are silent, have fired, or were met before the
 * review.
 */
export async function requestEvaluation(
  tx: OrgTx,
  { recordId, review, ...subject }: Subject & queries.Evaluation,
): Promise<void> {
  const { analysisId, projectId } = subject;
  if (!(await queries.couldFire(tx, { analysisId, projectId, ...factsOfBoth(subject) }))) return;
  const data = { recordId, analysisId, review };
  await emitEvents(tx, [newEvent('alerts.evaluate.requested', data, `${analysisId}:${review?.revision ?? 0}`)]);
}

/**
 * Fires the matching rules of the project and the organization: each once per version of an analysis, however often
 * this is called. Rules are evaluated against what was published, as of the time of the order. Returns how many fired.
 */
export async function evaluateAlerts(tx: OrgTx, order: queries.Evaluation & { orderedAt: Date }): Promise<number> {
  const { recordId, analysisId, review, orderedAt: at } = order;
  const subject = await queries.selectSubject(tx, order);
  if (!subject) return 0;
  const { projectId, agentName, scores } = subject;
  const cause = review ? 'review' : 'analysis';
  const { facts, factsBefore } = factsOfBoth(subject);
  const due = await queries.lockDueRules(tx, { projectId, facts, factsBefore, at });
  const firings = due.flatMap((rule) => {
    const value = facts[rule.field];
    return value === undefined ? [] : [{ id: newId('event'), rule, value }];
  });
  const rows = firings.map(({ id, rule, value }) => {
    const { id: alertId, severity, field, operator, value: threshold } = rule;
    const place = { id, alertId, analysisId, recordId, projectId };
    return { ...place, cause, severity, field, operator, threshold, value, triggeredAt: at } as const;
  });
  const added = await queries.insertAlertEvents(tx, rows);
  const fired = firings.filter(({ id }) => added.has(id));
  if (fired.length === 0) return 0;
  const place = { cause, recordId, analysisId, projectId, agentName, ...verdictOf(scores) } as const;
  const events = fired.map(({ id, rule, value }) => {
    const data = { ...aboutRule(rule), value, ...place, triggeredAt: at.toISOString() };
    return { id, ...newEvent('alert.triggered', data, `${rule.id}:${analysisId}`) };
  });
  const alertIds = fired.map(({ rule }) => rule.id);
  await Promise.all([queries.countFirings(tx, alertIds, at), emitEvents(tx, events)]);
  return fired.length;
}

function aboutRule({ id, name, severity, actions, field, operator, value }: queries.DueRule) {
  return { alertId: id, name, severity, actions, condition: { field, operator, value } };
}

type Values = Pick<Subject, 'scores' | 'scoresBefore' | 'metrics' | 'durationSeconds'>;

function factsOfBoth(values: Values): { facts: queries.Facts; factsBefore: queries.Facts | null } {
  const { scoresBefore } = values;
  return { facts: factsOf(values), factsBefore: scoresBefore && factsOf({ ...values, scores: scoresBefore }) };
}

/** The values by field name. Values that a call lacks are left out, and match no condition. */
function factsOf({ scores, metrics, durationSeconds }: Omit<Values, 'scoresBefore'>): queries.Facts {
  const categories = Object.entries(scores.categories).map(([key, score]) => [`categories.${key}`, score] as const);
  const facts = [
    ['qualityScore', scores.qualityScore],
    ['judgedShare', scores.judgedShare],
    ['needsReviewCount', scores.needsReviewCount],
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
