import { readFileSync } from 'node:fs';
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
export type ToldLine = { role: Party; text: string; startMs?: number | undefined; endMs?: number | undefined };
export type Language = 'en' | 'de' | 'es' | 'ru';
export const LANGUAGES: readonly Language[] = ['en', 'de', 'es', 'ru'];

/** A call whose speakers are known. */
export type ToldCall = {
  group: string;
  call: string;
  language: Language;
  /** Whose calls these are: one writer's are more alike than another's. */
  source: string;
  /** Calls of one trade speak of the same things; a call without a trade is one of its own. */
  trade: string;
  isMarked: boolean;
  lines: ToldLine[];
};

type About = { source: string; language: Language };

function scripted(scripts: readonly string[], { source, language }: About): ToldCall[] {
  const group = `${source} ${language}`;
  return scripts.map((script, at) => {
    const call = `${group} ${at}`;
    return { group, call, trade: call, source, language, isMarked: true, lines: linesOf(script) };
  });
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
    const about = { source: 'shared', language: 'en', trade: stored.sid, isMarked: false } as const;
    return { ...about, group: mode === 'text' ? 'real, as written' : 'real, as recognised', call: stored.sid, lines };
  });
}

/** They are looked at, and never learnt from. */
export function sharedCalls(): ToldCall[] {
  return [...shared('text'), ...shared('asr')];
}

function demoCalls(): ToldCall[] {
  return [...serviceDeskCalls, ...clinicCalls].map(({ externalId, lines }) => ({
    group: 'demo',
    source: 'demo',
    call: externalId,
    trade: externalId,
    language: 'en',
    isMarked: true,
    lines: lines.map(({ by, text }) => ({ role: by, text })),
  }));
}

type StoredCall = {
  id: string;
  language: Language;
  trade: string;
  style: 'spoken' | 'typed';
  utterances: ToldLine[];
};

/** See tests/learning/README.md. */
function learningCalls(): ToldCall[] {
  return LANGUAGES.flatMap((language) => {
    const file = new URL(`../../learning/calls-${language}.jsonl`, import.meta.url);
    return readStored(file).map((stored) => toTold(stored, { source: 'learning', language }));
  });
}

function readStored(file: URL): StoredCall[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as StoredCall);
}

function toTold({ id, trade, style, utterances }: StoredCall, { source, language }: About): ToldCall {
  const lines = utterances.map(({ role, text, startMs, endMs }) => ({ role, text, startMs, endMs }));
  const group = `${source} ${language} ${style}`;
  return { group, source, call: id, trade, language, isMarked: style === 'typed', lines };
}

/** Sealed sets that were looked at and opened: excerpts, and people who go on after a pause. */
function openedCalls(): ToldCall[] {
  return ['mono-1', 'mono-2', 'mono-3'].flatMap((source) => {
    const file = new URL(`../../learning/${source}.jsonl`, import.meta.url);
    return readStored(file).map((stored) => toTold(stored, { source, language: stored.language }));
  });
}

function scriptedCalls(): ToldCall[] {
  const invented = [...INVENTED, ...INVENTED_2, ...INVENTED_3].map(({ script }) => script);
  const templates = { en: englishTemplates, de: germanTemplates, es: spanishTemplates, ru: russianTemplates };
  const offices = { en: english, de: german, es: spanish, ru: russian };
  return [
    ...scripted(invented, { source: 'invented', language: 'en' }),
    ...LANGUAGES.flatMap((language) => {
      const pairs = Object.values(templates[language]).flatMap(({ good, bad }) => [good, bad]);
      return [
        ...scripted(pairs, { source: 'templates', language }),
        ...scripted(offices[language], { source: 'offices', language }),
      ];
    }),
  ];
}

/** All calls that the weights are fitted to. */
export function callsToLearn(): ToldCall[] {
  return [...learningCalls(), ...openedCalls(), ...demoCalls(), ...scriptedCalls()];
}
