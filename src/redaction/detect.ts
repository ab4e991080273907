import { readConversation, type Conversation, type SpokenSegment } from './conversation.ts';
import { findAddresses } from './detectors/addresses.ts';
import { findBirthDates } from './detectors/birth-dates.ts';
import { findAccounts, findIbans } from './detectors/accounts.ts';
import { findSpokenCards, findWrittenCards } from './detectors/cards.ts';
import { findCodes, findCodesBesideCards } from './detectors/codes.ts';
import { findSpokenEmails, findWrittenEmails } from './detectors/emails.ts';
import { findDictations } from './detectors/dictations.ts';
import { findExpiries } from './detectors/expiries.ts';
import { findNames } from './detectors/names.ts';
import { findNationalIds } from './detectors/national-ids.ts';
import { findPasswords } from './detectors/passwords.ts';
import { findPhones } from './detectors/phones.ts';
import { findWrittenAddresses } from './detectors/written-addresses.ts';
import { findRepeats } from './detectors/repeats.ts';
import { findLearned, labelsOf, readCallWith, withoutHarmless } from './tagger/learned-spans.ts';
import type { Heard } from './tagger/call.ts';
import type { Tagger, TurnMemory } from './tagger/tagger.ts';
import { bridgeFindings, joinFindings, mergeSpans, toSpans, type Finding, type Span } from './spans.ts';

const detectors: readonly ((conversation: Conversation) => Finding[])[] = [
  findIbans,
  findAddresses,
  findAccounts,
  findDictations,
  findNationalIds,
  findPhones,
  findSpokenEmails,
  findBirthDates,
  findCodes,
  findPasswords,
];

/** Optional kinds of redaction. */
export type RedactionOptions = { names: boolean };

/** Without a tagger by the rules alone; with what it read before, when a call is read again. */
export type Detection = RedactionOptions & { tagger?: Tagger | null; memory?: TurnMemory };

/** All personal data in these segments, in order, without overlaps. */
export function detect(segments: readonly SpokenSegment[], { names, tagger, memory }: Detection): Span[] {
  const conversation = readConversation(segments);
  const spans = findByRules(conversation, segments, { names });
  if (!tagger) return spans;
  const heard = hear(conversation, segments, spans);
  const reading = readCallWith(tagger, heard, { names, ...(memory ? { memory } : {}) });
  const kept = withoutHarmless(reading, spans);
  const learned = findLearned(reading, labelsOf(heard.tokens, kept)).map((span) => namedByRules(span, kept));
  return mergeSpans([...kept, ...learned]).map((span) => withSign(span, segments));
}

/** The call as the tagger reads it. */
export function hear(
  { tokens, allTokens, leads, texts, runs }: Conversation,
  segments: readonly SpokenSegment[],
  spans: readonly Span[],
): Heard {
  const indices: number[] = [];
  for (const [at, token] of allTokens.entries()) if (token === tokens[indices.length]) indices.push(at);
  const moved = <T extends { from: number; to: number }>(place: T): T => ({
    ...place,
    from: indices[place.from] ?? 0,
    to: (indices[place.to - 1] ?? 0) + 1,
  });
  return {
    texts,
    tokens: allTokens,
    speakers: segments,
    leads: leads.map(moved),
    numbers: runs.flatMap(({ groups }) => groups).map(moved),
    byRules: labelsOf(allTokens, spans),
  };
}

/** The rules know better what it is where both find it. */
function namedByRules(span: Span, spans: readonly Span[]): Span {
  const known = spans.find((each) => each.segment === span.segment && each.from < span.to && span.from < each.to);
  return known ? { ...span, kind: known.kind } : span;
}

export function findByRules(
  conversation: Conversation,
  segments: readonly SpokenSegment[],
  { names }: RedactionOptions,
): Span[] {
  const cards = joinFindings(findSpokenCards(conversation));
  const findings = [
    ...cards,
    ...findExpiries(conversation, cards),
    ...findCodesBesideCards(conversation, cards),
    ...detectors.flatMap((find) => find(conversation)),
    ...(names ? findNames(conversation) : []),
  ];
  const repeats = findRepeats(conversation, findings);
  const spans = mergeSpans([
    ...segments.flatMap((said, segment) => findWrittenAddresses(said, segment)),
    ...segments.flatMap(({ text, role }, segment) => [
      ...findWrittenCards(text, segment),
      ...findWrittenEmails(text, { segment, isAgent: role === 'agent' }),
    ]),
    ...[...findings, ...repeats, ...bridgeFindings(conversation.tokens, findings)].flatMap((finding) =>
      toSpans(conversation.tokens, finding),
    ),
  ]);
  return mergeSpans([...spans, ...echoesOf(conversation, spans)]).map((span) => withSign(span, segments));
}

/** What a listener repeats right afterwards is redacted too. */
function echoesOf({ echoes }: Conversation, spans: readonly Span[]): Span[] {
  const bySegment = Map.groupBy(spans, ({ segment }) => segment);
  return echoes.flatMap(({ segment, from, to, original, originalAt }) => {
    const span = bySegment.get(original)?.find((each) => each.from <= originalAt && originalAt < each.to);
    return span ? [{ kind: span.kind, segment, from, to }] : [];
  });
}

/** Includes the sign of an international number and an opening bracket. */
function withSign(span: Span, segments: readonly SpokenSegment[]): Span {
  const before = (segments[span.segment]?.text ?? '').slice(Math.max(0, span.from - 2), span.from);
  const sign = span.kind === 'phone_number' ? /[+(]{1,2}$/.exec(before) : null;
  return sign ? { ...span, from: span.from - sign[0].length } : span;
}
