import type { CheckResult, ComplianceFinding, Scorecard } from '../model/scorecard.ts';
import type { Check, ComplianceRule } from '../model/checks.ts';
import type { Rubric } from '../model/rubric.ts';
import type { Transcript } from '../model/transcript.ts';
import type { Finding } from './findings/answer.ts';
import { finding, groundsOf } from './findings/answer.ts';
import type { Metrics } from '../model/scorecard.ts';
import { soberMoods } from './facts/sentiment.ts';
import { complianceStatusOf, computeScores, scoreOfAnswer } from './arithmetic.ts';
import { answerCheck } from './checks/answer-check.ts';
import { withheld, type Scope } from './checks/conditions.ts';
import { unread } from './checks/unjudged.ts';
import { answerRule, type RuleScope } from './compliance/answer-rule.ts';
import type { FindSecrets } from './compliance/labelled-secrets.ts';
import { settleDoubt, waysToHear } from './doubt.ts';
import { verifyEvidence } from './findings/evidence.ts';
import type { CallFacts } from './facts/facts.ts';
import { readFacts } from './facts/facts.ts';
import { exemptionOf } from './findings/exemptions.ts';
import type { KeyedAnswers } from '../model/model-answers.ts';
import type { Messages } from './messages/table.ts';
import { readModel, type ModelReading } from './model/reading.ts';
import { besideSuspicion } from './opinion/suspicion.ts';
import { type SecondOpinion, weigh, weighModel } from './opinion/weigh.ts';
import { writeReport } from './report/report.ts';

export type ScoreCallInput = {
  transcript: Transcript;
  /** Length of the recording. */
  durationMs: number;
  rubric: Rubric;
  /** As the record has it; helps to hear the agent's name. */
  agentName?: string | null;
  /** What a language model answered, by windows of the call; without them the rules answer alone. */
  modelAnswers?: readonly KeyedAnswers[] | null;
  /** Finds personal data in what is said around the label of a secret. */
  findSecrets: FindSecrets;
  /** By default it decides together with the rules; `tells` leaves their answers as they are. */
  secondOpinion?: SecondOpinion;
};

/**
 * Scores a call: metrics, an answer with evidence for every check by the rules or a language model, then the score by
 * arithmetic. Pure: the same input gives the same scorecard. What is said in the call is only ever matched, never
 * followed, and what a model says is believed as far as words of the call show it. Throws `TooExpensiveError` for a call
 * that is too long, or whose profile has too much to look for. `language` is what was heard; null where nothing tells.
 */
export function judgeCall(input: ScoreCallInput): { scorecard: Scorecard; language: string | null } {
  const {
    transcript,
    durationMs,
    rubric,
    agentName = null,
    modelAnswers,
    findSecrets,
    secondOpinion = 'decides',
  } = input;
  const facts = readFacts({ transcript, durationMs, agentName });
  const model = modelAnswers ? readModel({ facts, rubric, windows: modelAnswers }) : null;
  const otherwise = waysToHear(facts);
  const { segments } = transcript;
  const scorecard = scoreFacts({ facts, otherwise, segments, rubric, model, findSecrets, secondOpinion });
  return { scorecard, language: facts.language };
}

type ScoreFactsInput = {
  facts: CallFacts;
  /** Of the call as it may be heard as well, where it is not clear who says what. */
  otherwise: readonly CallFacts[];
  segments: Transcript['segments'];
  rubric: Rubric;
  model: ModelReading | null;
  findSecrets: FindSecrets;
  /** Null where nobody asks for it. */
  secondOpinion: SecondOpinion | null;
};

function scoreFacts(input: ScoreFactsInput): Scorecard {
  const { facts, otherwise, segments, rubric, model } = input;
  const texts = new Map(segments.map(({ id, text }) => [id, text]));
  const verified = (found: Finding): Finding => ({ ...found, evidence: verifyEvidence(texts, found.evidence) });
  const judged = judgeAll(input, verified);
  if (!facts.conversation.areSpeakersKnown && facts.conversation.agentTurns.length > 0) {
    // By the rules alone: what they answer otherwise by other roles stays in doubt, however sure the learned reader is.
    const hear = (each: CallFacts): AllJudged => judgeAll({ ...input, facts: each, secondOpinion: null }, verified);
    settleAll(judged, { byRules: hear(facts), others: otherwise.map(hear), rubric, messages: facts.messages });
  }
  const foundFor = (of: Judged, key: string): Finding => of.get(key) ?? silentAgent(facts);
  const checks = rubric.categories.flatMap((category) =>
    category.checks.map((check): CheckResult => {
      const found = foundFor(judged.checks, check.key);
      const { answer, rationale, evidence } = found;
      const { key, title, weight, critical } = check;
      const score = scoreOfAnswer(answer);
      const grounds = groundsOf(found, check.kind === 'metric');
      return { key, category: category.key, title, weight, critical, answer, score, rationale, evidence, ...grounds };
    }),
  );
  const complianceFindings = rubric.compliance
    .filter(({ enabled }) => enabled)
    .map(({ key, title, severity, kind }): ComplianceFinding => {
      const found = foundFor(judged.rules, key);
      const { answer, rationale, evidence } = found;
      return { key, title, severity, answer, rationale, evidence, ...groundsOf(found, kind === 'metric') };
    });
  const findings = new Map([...judged.checks, ...judged.rules]);
  const scores = computeScores(rubric, checks);
  const complianceStatus = complianceStatusOf(complianceFindings);
  return {
    ...scores,
    complianceStatus,
    ...writeReport({ facts, rubric, checks, complianceFindings, findings, scores, model }),
    checks,
    complianceFindings,
    metrics: metricsOf(facts, { rubric, findings }),
  };
}

/** Moods say nothing against what was found, whoever found it. */
function metricsOf(
  { measurements: { metrics } }: CallFacts,
  { rubric, findings }: { rubric: Rubric; findings: ReadonlyMap<string, Finding> },
): Metrics {
  const failed = (detector: string): Finding[] =>
    rubric.categories
      .flatMap((category) => category.checks)
      .flatMap((check) =>
        check.kind === 'model' && check.detector === detector ? (findings.get(check.key) ?? []) : [],
      )
      .filter(({ answer }) => answer === 'fail');
  const isRude = failed('respect').length > 0;
  const hasObjected = failed('accepted').some(({ way }) => way === 'objected');
  return { ...metrics, sentiment: soberMoods(metrics.sentiment, { isRude, hasObjected }) };
}

/** Findings by the key of the check or rule. */
type Judged = Map<string, Finding>;
type JudgeInput = Omit<ScoreFactsInput, 'segments' | 'otherwise'>;

type AllJudged = { checks: Judged; rules: Judged };

/** Leaves to a person what rests on who says what, where that is not clear. Measurements are of what is. */
function settleAll(
  { checks, rules }: AllJudged,
  {
    byRules,
    others,
    rubric,
    messages,
  }: { byRules: AllJudged; others: readonly AllJudged[]; rubric: Rubric; messages: Messages },
): void {
  for (const { key, kind, critical } of rubric.categories.flatMap((category) => category.checks)) {
    const told = byRules.checks.get(key);
    if (!told || kind === 'metric') continue;
    const heard = others.map((other) => other.checks.get(key));
    const settled = settleDoubt(told, { others: heard, isAccusation: critical, messages });
    if (settled.answer === 'needs_review' && told.answer !== 'needs_review') checks.set(key, settled);
  }
  for (const [key, found] of rules) {
    const heard = others.map((other) => other.rules.get(key));
    rules.set(key, settleDoubt(found, { others: heard, isAccusation: true, messages }));
  }
}

/** Judges every check and every active rule. Checks that depend on the answer to another one come last. */
function judgeAll(input: JudgeInput, verified: (found: Finding) => Finding): AllJudged {
  const { facts, rubric, model } = input;
  const all = rubric.categories.flatMap((category) => category.checks);
  const titles = new Map(all.map(({ key, title }) => [key, title]));
  const checks: Judged = new Map();
  const rules: Judged = new Map();
  const scope: RuleScope = {
    facts,
    findSecrets: input.findSecrets,
    isCovered: isCovered(rubric.languages ?? [], facts.languages),
    answerOf: (key) => {
      const answer = checks.get(key)?.answer;
      return answer && { title: titles.get(key) ?? key, answer };
    },
  };
  const hasAgent = facts.conversation.agentTurns.length > 0;
  const depends = ({ appliesWhen }: Check): boolean => appliesWhen?.kind === 'answer';
  for (const check of [...all.filter((each) => !depends(each)), ...all.filter(depends)]) {
    checks.set(check.key, verified(hasAgent ? findFor(check, scope, input) : silentAgent(facts)));
  }
  for (const rule of rubric.compliance) {
    if (!rule.enabled) continue;
    const outside = withheld(rule.appliesWhen, scope);
    const byRules = outside ?? ruleFinding(rule, scope, input);
    rules.set(rule.key, verified(model && !outside ? model.settle({ of: 'rule', key: rule.key }, byRules) : byRules));
  }
  return { checks, rules };
}

/** A rule of compliance, beside what was learned of such accusations. */
function ruleFinding(rule: ComplianceRule, scope: RuleScope, { model, secondOpinion }: JudgeInput): Finding {
  const byRules = answerRule(rule, scope);
  if (model || secondOpinion !== 'decides' || rule.kind !== 'model' || rule.detector === null) return byRules;
  return besideSuspicion(SUSPECTED[rule.detector], byRules, scope.facts);
}

const SUSPECTED = { pressure: 'compliance.pressure', sensitiveData: 'compliance.sensitive' } as const;

/** The condition and the exemptions of a check hold whoever answers it. */
function findFor(check: Check, scope: Scope, { model, secondOpinion }: JudgeInput): Finding {
  const outside = withheld(check.appliesWhen, scope);
  if (outside) return outside;
  const byRules = checkFinding(check, scope, { model, secondOpinion });
  const found = model ? model.settle({ of: 'check', key: check.key }, byRules) : byRules;
  if (found === byRules) {
    // Of what a language model is not asked, or does not say, the learned reader only tells how sure it is.
    const mode = model ? 'tells' : secondOpinion;
    return mode && secondOpinion ? weigh(check, byRules, { facts: scope.facts, mode }) : byRules;
  }
  const held = secondOpinion === null ? found : weighModel(check, found, { byRules, facts: scope.facts });
  if (held.answer === 'pass' || held.answer === 'not_applicable') return held;
  const exempted = exemptionOf(check.exemptions, scope.facts);
  return exempted === null ? held : finding('not_applicable', exempted);
}

function checkFinding(
  check: Check,
  scope: Scope,
  { model, secondOpinion }: Pick<JudgeInput, 'model' | 'secondOpinion'>,
): Finding {
  const byRules = answerCheck(check, scope);
  const isOfRespect = check.kind === 'model' && check.detector === 'respect';
  if (model || secondOpinion !== 'decides' || !isOfRespect) return byRules;
  return besideSuspicion('professionalism.respect', byRules, scope.facts);
}

/** A profile without languages searches any call; one with some, every call in these alone. */
function isCovered(languages: readonly string[], { spoken, doubt }: CallFacts['languages']): boolean {
  if (languages.length === 0) return true;
  return spoken.every((language) => languages.includes(language)) && (doubt === null || spoken.length === 1);
}

function silentAgent(facts: CallFacts): Finding {
  const { conversation, languages } = facts;
  const { exempt } = facts.messages.answers;
  if (conversation.spoken.length === 0) return finding('not_applicable', exempt.nothingSaid);
  // Who is the agent is told by words, too.
  if (!conversation.areSpeakersKnown && languages.doubt !== null) return unread(facts);
  if (!conversation.areSpeakersKnown) return finding('not_applicable', exempt.whoIsAgent);
  return finding('not_applicable', exempt.noAgent);
}
