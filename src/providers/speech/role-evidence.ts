type Clue = { pattern: RegExp; weight: number };

/** A name that the recogniser may have spelled in its own way: up to three words. */
const name = String.raw`\w+(?: \w+){0,2}`;

/** What only the one who takes a call says. Several short clues rather than one sentence: recognisers drop words. */
const agentClues: Clue[] = [
  { pattern: /\b(?:thank you|thanks) for (?:calling|call|contacting|phoning|holding|your call)\b/, weight: 4 },
  { pattern: /\bhow (?:can|may|could|might) (?:i|we) (?:help|assist|be of)\b/, weight: 4 },
  { pattern: /\b(?:can|may) i (?:help|assist) you\b|\bhelp you (?:with )?today\b/, weight: 3 },
  { pattern: /\bwhat can (?:i|we) do for you\b|\byou(?: have|'ve) reached\b/, weight: 4 },
  {
    pattern:
      /\b(?:anything|something|any thing) else (?:(?:that )?(?:i|we) (?:can|could|may)|(?:i|we) can|you need|today|for you)\b/,
    weight: 3,
  },
  { pattern: /\b(?:is|was) there anything else\b|\banything else i can\b/, weight: 2 },
  {
    pattern:
      /\b(?:i can|i'll|i will|let me|i'd be happy to|i would be happy to|happy to|glad to) (?:help|assist|check|look|pull|transfer|put|do that|take care|go ahead|get that|get you|verify)\b/,
    weight: 2,
  },
  {
    pattern: /\b(?:can|could|may) (?:i|you) (?:please )?(?:have|get|verify|confirm|give me|tell me|provide|spell)\b/,
    weight: 2,
  },
  {
    pattern:
      /\b(?:what is|what's|what was|may i have|can i get) your (?:\w+ )?(?:name|account|phone|email|address|date|birth|order|zip|policy|number|reference)\b/,
    weight: 2,
  },
  { pattern: /\b(?:have a|enjoy your|have an) (?:\w+ )?(?:day|one|evening|afternoon|weekend|night)\b/, weight: 1 },
  {
    pattern:
      /\b(?:i have|i've|we have|we've) (?:just )?(?:sent|issued|scheduled|ordered|updated|reset|refunded|cancelled|canceled|transferred|booked|processed)\b/,
    weight: 2,
  },
  {
    pattern:
      /\byour (?:current )?(?:balance|appointment|refund|order|account|card|claim|booking) (?:is|has been|will be|was)\b/,
    weight: 2,
  },
  { pattern: /\b(?:sir|ma'am|madam)\b/, weight: 1 },
];

const customerClues: Clue[] = [
  { pattern: /\bi(?:'d| would) like to (?!help|thank|apologi|offer|inform|remind|confirm|verify)/, weight: 2 },
  {
    pattern:
      /\bi (?:need|want|wanted|was hoping|am trying|was trying|was wondering)\b(?! to (?:verify|confirm|apologi))/,
    weight: 2,
  },
  { pattern: /\b(?:i'm|i am) (?:calling|phoning|ringing) (?:about|because|to|regarding|for)\b/, weight: 2 },
  {
    pattern: /\b(?:i|i've|i have) (?:lost|forgot|placed|ordered|bought|received|been waiting|been charged)\b/,
    weight: 2,
  },
  {
    pattern:
      /\bmy (?:\w+ )?(?:account|card|order|bill|balance|password|appointment|bank|phone number|address|internet|package|parcel|refund|money|subscription)\b/,
    weight: 1.5,
  },
  { pattern: /\b(?:that's all|that is all|that's it|that'll be all|that will be all|nothing else)\b/, weight: 2 },
  {
    pattern:
      /\b(?:can|could) you (?:please )?(?:help me|transfer|cancel|send me|check my|tell me (?:what|when|how|why|if))\b/,
    weight: 2,
  },
];

const openingTexts = 3;

/**
 * How much a voice sounds like the agent: points for it minus points against. A clue counts once, and half as much
 * again in the first words of the voice, where roles show most clearly.
 */
export function agentEvidence(texts: string[], agentName: string | null): number {
  const all = normalise(texts.join(' '));
  const opening = normalise(texts.slice(0, openingTexts).join(' '));
  const points = (clues: Clue[]): number =>
    clues.reduce((sum, { pattern, weight }) => {
      if (!pattern.test(all)) return sum;
      return sum + weight * (pattern.test(opening) ? 1.5 : 1);
    }, 0);
  return points(agentClues) - points(customerClues) + introduction(opening, agentName);
}

/** A name with the company it speaks for, or the name that the record gives for its agent. */
function introduction(opening: string, agentName: string | null): number {
  const withCompany = new RegExp(`\\b(?:my name is|this is|i'm|i am) ${name} (?:from|with|at|speaking)\\b`);
  const first = normalise(agentName ?? '').split(' ')[0] ?? '';
  const isNamed = first.length > 1 && introduces(opening, first);
  const isGreeted = first.length > 1 && new RegExp(`\\b(?:hi|hello|hey|thanks|thank you) ${first}\\b`).test(opening);
  return (withCompany.test(opening) ? 2 : 0) + (isNamed ? 4 : 0) - (isGreeted && !isNamed ? 3 : 0);
}

function introduces(opening: string, first: string): boolean {
  return new RegExp(
    `\\b(?:my name is|name is|this is|i'm|i am|it's) (?:\\w+ )?${first}\\b|\\b${first} (?:here|speaking)\\b`,
  ).test(opening);
}

function normalise(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll(/[^a-z0-9' ]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
