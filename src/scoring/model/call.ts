import { readFacts } from '../facts/facts.ts';
import type { ScoreCallInput } from '../score-call.ts';
import { questionsOf } from './questions.ts';
import { type Question, type Line } from '../../model/question.ts';
import { linesOf } from './lines.ts';

/** The questions for a model about a call, with the language of its report; null if no agent speaks, so there is nothing to judge. */
export function prepareCall(
  input: Omit<ScoreCallInput, 'modelAnswers' | 'findSecrets'>,
): { questions: Question[]; lines: Line[]; reportIn: string } | null {
  const { transcript, durationMs, rubric, agentName } = input;
  const facts = readFacts({ transcript, durationMs, agentName: agentName ?? null });
  if (facts.conversation.agentTurns.length === 0) return null;
  return { questions: questionsOf(rubric, facts), lines: linesOf(facts), reportIn: facts.languages.reportIn };
}
