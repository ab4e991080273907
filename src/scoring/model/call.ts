import { readFacts } from '../facts.ts';
import type { ScoreCallInput } from '../score-call.ts';
import { questionsOf } from './questions.ts';
import { type Question, type Line } from '../../model/question.ts';
import { linesOf } from './lines.ts';

/** What a model is to be asked about a call; null where no agent speaks, so that there is nothing to judge. */
export function prepareCall(
  input: Omit<ScoreCallInput, 'modelAnswers'>,
): { questions: Question[]; lines: Line[] } | null {
  const { transcript, durationMs, rubric, agentName } = input;
  const facts = readFacts({ transcript, durationMs, agentName: agentName ?? null });
  if (facts.conversation.agentTurns.length === 0) return null;
  return { questions: questionsOf(rubric, facts), lines: linesOf(facts) };
}
