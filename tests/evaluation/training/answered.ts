import type { CheckAnswer } from '../../../src/model/scorecard.ts';
import { AGENT_ACTS, type AgentAct } from '../../../src/scoring/opinion/acts.ts';
import type { CommonWords } from '../../../src/scoring/opinion/features.ts';
import type { LabelledCall } from '../labelled.ts';
import { probabilities, toExamples, UNKNOWN, type TurnExample, type TurnWeights } from './turns.ts';

/** Where the rubric looks for an act: in so many turns of the agent from the start or the end, in or in the last half. */
type Where = { first: number } | { last: number } | 'lastHalf';
type Told = { check: string; act: AgentAct; where: Where };

/** Answers that tell of an act: a pass that it is done somewhere there, a fail that it is not. */
const TOLD: readonly Told[] = [
  { check: 'greeting.opens', act: 'greeting', where: { first: 2 } },
  { check: 'greeting.company', act: 'company', where: { first: 2 } },
  { check: 'greeting.name', act: 'own_name', where: { first: 3 } },
  { check: 'greeting.offer', act: 'offer_help', where: { first: 3 } },
  { check: 'closing.more', act: 'more_help', where: 'lastHalf' },
  { check: 'closing.thanks', act: 'closing_thanks', where: { last: 3 } },
  { check: 'closing.farewell', act: 'farewell', where: { last: 3 } },
];
/** An act that is not done anywhere where the check has this answer. */
const NEVER: readonly { check: string; answer: CheckAnswer; act: AgentAct }[] = [
  { check: 'professionalism.courtesy', answer: 'fail', act: 'courtesy' },
  { check: 'professionalism.respect', answer: 'pass', act: 'slight' },
];
/** Likelier than this it may be done here, too, beside where it is likeliest. */
const MAYBE = 0.25;

type Placed = { example: TurnExample; turn: number; back: number; at: number };

/** What the utterances of a call do as far as its answers tell, with those that read best so far; all else is unknown. */
export function fromAnswers(call: LabelledCall, agent: TurnWeights, common: CommonWords): TurnExample[] {
  const examples = toExamples(call, common).map((each) => ({ ...each, labels: each.labels.fill(UNKNOWN) }));
  const own = placed(examples);
  for (const { check, act, where } of TOLD) {
    const answer = call.answers[check];
    const some = own.filter((each) => isThere(each, where));
    if (answer === 'fail') label(some, act, () => 0);
    if (answer !== 'pass' || some.length === 0) continue;
    const place = AGENT_ACTS.indexOf(act);
    const shares = some.map(({ example }) => probabilities(agent, example.features)[place] ?? 0);
    const most = shares.indexOf(Math.max(...shares));
    label(some, act, (index) => (index === most ? 1 : (shares[index] ?? 0) > MAYBE ? UNKNOWN : 0));
  }
  for (const { check, answer, act } of NEVER) if (call.answers[check] === answer) label(own, act, () => 0);
  return own.map(({ example }) => example);
}

function label(some: readonly Placed[], act: AgentAct, valueOf: (index: number) => number): void {
  const place = AGENT_ACTS.indexOf(act);
  for (const [index, { example }] of some.entries()) example.labels[place] = valueOf(index);
}

/** Utterances of the agent with the turn that they are in, from the start and from the end. */
function placed(examples: readonly TurnExample[]): Placed[] {
  let turn = -1;
  const own = examples.flatMap((example, index) => {
    if (example.role !== 'agent') return [];
    if (examples[index - 1]?.role !== 'agent') turn += 1;
    return [{ example, turn, at: index / examples.length }];
  });
  return own.map((each) => ({ ...each, back: turn - each.turn }));
}

function isThere({ turn, back, at }: Placed, where: Where): boolean {
  if (where === 'lastHalf') return at >= 0.5;
  return 'first' in where ? turn < where.first : back < where.last;
}
