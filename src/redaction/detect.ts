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

/** All personal data in these segments, in order, without overlaps. */
export function detect(segments: readonly SpokenSegment[], { names }: RedactionOptions): Span[] {
  const conversation = readConversation(segments);
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
