import { clinicCalls } from '../../../src/demo/calls/clinic.ts';
import { serviceDeskCalls } from '../../../src/demo/calls/service-desk.ts';
import { speakable } from '../../../src/demo/speak.ts';
import { call, storedCalls, storedTranscript } from '../../scoring/corpus.ts';
import { INVENTED } from '../../scoring/invented-calls.ts';
import { INVENTED_2 } from '../../scoring/invented-calls-2.ts';
import { INVENTED_3 } from '../../scoring/invented-calls-3.ts';
import { english as englishTemplates } from '../../scoring/languages/english.ts';
import { german as germanTemplates } from '../../scoring/languages/german.ts';
import { russian as russianTemplates } from '../../scoring/languages/russian.ts';
import { spanish as spanishTemplates } from '../../scoring/languages/spanish.ts';
import { english } from '../../scoring/mono/english.ts';
import { german } from '../../scoring/mono/german.ts';
import { russian } from '../../scoring/mono/russian.ts';
import { spanish } from '../../scoring/mono/spanish.ts';

export type Party = 'agent' | 'customer';
export type ToldLine = { role: Party; text: string };
/** A call whose speakers are known; `call` is the same for several ways of writing one. */
export type ToldCall = { group: string; call: string; lines: ToldLine[] };

/** As a recogniser without punctuation writes it. */
export function unpunctuated(lines: readonly ToldLine[]): ToldLine[] {
  return lines.map(({ role, text }) => ({
    role,
    text: text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}' ]+/gu, ' ')
      .replaceAll(/\s+/gu, ' ')
      .trim(),
  }));
}

function scripted(group: string, scripts: readonly string[]): ToldCall[] {
  return scripts.map((script, at) => ({ group, call: `${group} ${at}`, lines: linesOf(script) }));
}

function linesOf(script: string): ToldLine[] {
  return call(script).transcript.segments.flatMap(({ role, text }) =>
    role === 'agent' || role === 'customer' ? [{ role, text }] : [],
  );
}

function shared(mode: 'text' | 'asr'): ToldCall[] {
  return storedCalls().map((stored) => {
    const { segments } = storedTranscript(stored, mode).transcript;
    const inOrder = segments.toSorted((a, b) => a.startMs - b.startMs);
    const lines = inOrder.flatMap(({ role, text }) =>
      (role === 'agent' || role === 'customer') && speakable(text) !== '' ? [{ role, text }] : [],
    );
    return { group: `shared ${mode}`, call: stored.sid, lines };
  });
}

export function sharedCalls(): ToldCall[] {
  return [...shared('text'), ...shared('asr')];
}

export function demoCalls(): ToldCall[] {
  return [...serviceDeskCalls, ...clinicCalls].map(({ externalId, lines }) => ({
    group: 'demo',
    call: externalId,
    lines: lines.map(({ by, text }) => ({ role: by, text })),
  }));
}

export function inventedCalls(): ToldCall[] {
  return scripted(
    'invented',
    [...INVENTED, ...INVENTED_2, ...INVENTED_3].map(({ script }) => script),
  );
}

export function templateCalls(): ToldCall[] {
  const books = { en: englishTemplates, de: germanTemplates, es: spanishTemplates, ru: russianTemplates };
  return Object.entries(books).flatMap(([language, book]) =>
    scripted(
      `templates ${language}`,
      Object.values(book).flatMap(({ good, bad }) => [good, bad]),
    ),
  );
}

export function officeCalls(): ToldCall[] {
  return Object.entries({ en: english, de: german, es: spanish, ru: russian }).flatMap(([language, scripts]) =>
    scripted(`offices ${language}`, scripts),
  );
}

/** All calls; what is written with punctuation also as a recogniser without it writes it. */
export function allCalls(): ToldCall[] {
  const written = [...demoCalls(), ...inventedCalls(), ...templateCalls(), ...officeCalls()];
  const plain = written.map((each) => ({ ...each, group: `${each.group} plain`, lines: unpunctuated(each.lines) }));
  return [...sharedCalls(), ...written, ...plain];
}
