import type { Conversation, PlacedToken } from '../conversation/conversation.ts';

type Range = { from: number; to: number };

const CLEAN_ABOVE = 0.9;
const DOUBTFUL_BELOW = 0.6;

/** Whether the words were surely said so: only then may a report build a sentence of its own from them. */
export function isClean({ tokens, isSupplied }: Conversation, { from, to }: Range): boolean {
  return isSupplied || tokens.slice(from, to).every((token) => (trustIn(token) ?? 0) > CLEAN_ABOVE);
}

/** Whether a recogniser was more or less guessing: on average the words are doubtful. */
export function isGuessed({ tokens, isSupplied }: Conversation, { from, to }: Range): boolean {
  if (isSupplied) return false;
  const known = tokens.slice(from, to).flatMap((token) => trustIn(token) ?? []);
  const mean = known.reduce((sum, each) => sum + each, 0) / Math.max(1, known.length);
  return known.length > 0 && mean < DOUBTFUL_BELOW;
}

/** Whether the source says nothing about how surely it heard: good engines without confidences are not held doubtful. */
export function isUnrated({ tokens }: Conversation, { from, to }: Range): boolean {
  return tokens.slice(from, to).every((token) => trustIn(token) === null);
}

/** The word's own confidence, or where the source gives none, its segment's. */
function trustIn({ confidence, utterance }: PlacedToken): number | null {
  return confidence ?? utterance.segment.confidence;
}
