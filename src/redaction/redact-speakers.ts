import { placeholders } from '../model/redaction.ts';
import type { Segment, Speaker } from '../model/transcript.ts';
import type { RedactionOptions } from './detect.ts';
import { redactText } from './redact-transcript.ts';

type Spoken = { speakers: Speaker[]; segments: Segment[] };

/**
 * Telephony systems often name a speaker by the calling number: names and ids are redacted like the text. If names are
 * redacted, so are those of everybody except agents.
 */
export function redactSpeakers<T extends Spoken>(transcript: T, { names }: RedactionOptions): T {
  const taken = new Set(transcript.speakers.map(({ id }) => id));
  const agents = new Set(transcript.speakers.filter(isOurs).map(({ id }) => id));
  const ids = new Map<string, string>();
  for (const id of new Set([...taken, ...transcript.segments.map(({ speaker }) => speaker)])) {
    const isNamed = names && !agents.has(id) && !GENERIC.test(id);
    if (isNamed || redactName(id) !== id) ids.set(id, freeId(taken));
  }
  return {
    ...transcript,
    speakers: transcript.speakers.map((speaker) => ({
      ...speaker,
      id: ids.get(speaker.id) ?? speaker.id,
      name: speaker.name === null ? null : isPersonal(speaker, names) ? placeholders.name : redactName(speaker.name),
    })),
    segments: transcript.segments.map((segment) => ({
      ...segment,
      speaker: ids.get(segment.speaker) ?? segment.speaker,
    })),
  };
}

const dialledDigitsMin = 7;
/** What names a party or a number of a voice, and nobody. */
const GENERIC =
  /^(?:agent|customer|client|caller|callee|user|guest|ivr|unknown|speaker|spk|channel|ch|voice|party|[a-z])?[\s_-]*\d*$/i;

function isOurs({ role }: Speaker): boolean {
  return role === 'agent' || role === 'ivr';
}

function isPersonal(speaker: Speaker, names: boolean): boolean {
  return (
    names &&
    !isOurs(speaker) &&
    speaker.name !== null &&
    redactName(speaker.name) === speaker.name &&
    !GENERIC.test(speaker.name)
  );
}

/** A name of nothing but digits and separators is a dialled number. */
function redactName(name: string): string {
  const isDialled = /^[\d\s+()./-]+$/.test(name) && name.replaceAll(/\D/g, '').length >= dialledDigitsMin;
  return isDialled ? placeholders.phone_number : redactText(name, { names: false });
}

function freeId(taken: Set<string>): string {
  let number = 0;
  while (taken.has(`spk_${number}`)) number += 1;
  taken.add(`spk_${number}`);
  return `spk_${number}`;
}
