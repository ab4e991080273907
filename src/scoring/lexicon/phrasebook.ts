/** What is said in the calls of any trade. Where nothing else is noted, by the agent. */
type Conversation =
  | 'greetings'
  | 'offers'
  | 'names'
  | 'companies'
  | 'acknowledgements'
  | 'empathy'
  | 'clarifications'
  | 'results'
  | 'nextSteps'
  | 'information'
  | 'courtesies'
  | 'moreOffers'
  | 'thanks'
  | 'farewells'
  | 'holdAnnouncements'
  | 'holdExplanations'
  | 'insults'
  | 'profanity'
  | 'threats'
  | 'guarantees'
  | 'secrecy'
  | 'recordingNotices'
  /** By the customer, down to the end. */
  | 'needs'
  | 'questions'
  | 'introductions'
  | 'acceptances'
  | 'reservations'
  | 'objections'
  | 'leaveTakings';

/** What belongs to selling, support and collections. */
type Trade =
  | 'callReasons'
  | 'timeQuestions'
  | 'needQuestions'
  | 'benefits'
  | 'prices'
  | 'terms'
  | 'cancellationRights'
  | 'closingQuestions'
  | 'urgency'
  | 'stopConfirmations'
  | 'steps'
  | 'checks'
  | 'tickets'
  | 'identityChecks'
  | 'debtDisclosures'
  | 'debtAmounts'
  | 'hardshipQuestions'
  | 'paymentPlans'
  | 'paymentRecaps'
  | 'disputeRights'
  | 'debtThreats'
  /** By the customer. */
  | 'stopRequests'
  | 'disputes';

/** Phrases of one language by what they are for, in its own spelling. */
export type Phrasebook = Record<Conversation | Trade, readonly string[]>;
export type Concept = keyof Phrasebook;
