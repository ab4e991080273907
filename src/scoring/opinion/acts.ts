/** What an utterance of the agent may do. The order is that of the weights. */
export const AGENT_ACTS = [
  'greeting',
  'company',
  'own_name',
  'offer_help',
  'question_clarifying',
  'restatement',
  'detail_readback',
  'ask_identification',
  'courtesy',
  'apology',
  'empathy',
  'result_done',
  'explanation',
  'next_step',
  'next_step_vague',
  'refusal',
  'more_help',
  'closing_thanks',
  'farewell',
  'slight',
  'hold_notice',
  'hold_thanks',
] as const;
export type AgentAct = (typeof AGENT_ACTS)[number];

/** What an utterance of the customer may do. */
export const CUSTOMER_ACTS = [
  'need',
  'detail_given',
  'acceptance',
  'acceptance_reserved',
  'objection',
  'thanks',
  'farewell',
  'greeting',
  'question_other',
] as const;
export type CustomerAct = (typeof CUSTOMER_ACTS)[number];
