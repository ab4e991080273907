import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CheckAnswer } from '../../src/model/scorecard.ts';
import { defaultRubric } from '../../src/domain/profiles/default-rubric.ts';
import type { KeptAnswer } from '../../src/providers/analysis/interface.ts';
import { selectAnalyst } from '../../src/providers/analysis/select.ts';
import { prepareCall } from '../../src/scoring/model/call.ts';
import { scoreCall } from '../support/score-call.ts';
import { startModelServer, type ModelRequest, type ModelServer } from '../support/model-server.ts';
import { answersOf, CHECK_KEYS, readAnswers, storedCalls, storedTranscript } from './corpus.ts';
import { EXPECTED } from './expected.ts';

/**
 * What the scripted model says of each call: the answer (p pass, h partial, f fail, n not applicable) and the words that
 * it quotes. `→ r` where its quote is invented, or another party's, so that a person must look.
 */
const SAID: Record<string, Record<string, string>> = {
  '0002f70f7386445b': {
    company: 'p harper valley national bank',
    name: 'p my name is elizabeth',
    understood: 'p which card would you like to replace',
    details: 'n',
    resolved: 'p your new card is on its way → r',
    accepted: 'p no that was going to be it',
  },
  '0126ffdce48049a9': {
    company: 'p this is harper valley national bank',
    name: 'p my name is mary',
    understood: 'n',
    details: 'n',
    resolved: 'p the branch hours are nine thirty',
    accepted: 'p no that will be all thank you',
  },
  '0224c92b64d144d4': {
    company: 'p Harper Valley National Bank!',
    name: 'p my name is robert',
    understood: 'p and what is your phone number',
    details: 'f',
    resolved: 'p that password reset link has been sent',
    accepted: 'p thank you very much for your help',
  },
  '035edd1d09c1433e': {
    company: 'p harper valley national bank',
    name: 'p my name is david',
    understood: 'p which account would you like to check',
    details: 'n',
    resolved: 'p your savings account balance is seventy one dollars',
    accepted: 'p you’ve been very helpful',
  },
  '03fccf2cf2254435': {
    company: 'p harper valley national bank',
    name: 'p my name is james',
    understood: 'p can you repeat that zip code',
    details: 'p four two one first street harper valley california',
    resolved: 'p a new check book has been sent',
    accepted: 'p that’s gonna do it actually thank you',
  },
  '057d15ba6b9044d2': {
    company: 'p harper valley national bank',
    name: 'p my name is mary',
    understood: 'p which card was it that you would like to replace',
    details: 'n',
    resolved: 'p ordered you a replacement credit card',
    accepted: 'p no that will be all thank you',
  },
  '07dd22b700514bfd': {
    company: 'p harper valley national bank',
    name: 'p my name is mary',
    understood: 'p can you repeat the phone number',
    details: 'p zero seven five → r',
    resolved: 'p password reset link has been sent to your phone',
    accepted: 'p thanks a lot',
  },
  '0851d5916008439f': {
    company: 'p harper valley national bank',
    name: 'p my name is jennifer',
    understood: 'p what is your phone number',
    details: 'p seven five seven two two nine eight',
    resolved: 'p your password reset link has been sent to your phone',
    accepted: 'p that’ll be all for today',
  },
  '09fc75fc02ea4b46': {
    company: 'p harper valley national bank',
    name: 'p my name is john',
    understood: 'p what is your address',
    details: 'f',
    resolved: 'p a new checkbook has been sent to your home address',
    accepted: 'p you too thanks',
  },
  '0bc276cb4aa24507': {
    company: 'p harper valley national bank',
    name: 'p my name is patricia',
    understood: 'p what is the company name',
    details: 'h your payment to fossil gas',
    resolved: 'h we will send your payment to fossil gas',
    accepted: 'p that’s all i need to help with today',
  },
  '0c7b8cd8a7374ffc': {
    company: 'p this is harper valley nation',
    name: 'p my name is patricia',
    understood: 'p savings or checking',
    details: 'n',
    resolved: 'p you have one hundred and eleven dollars',
    accepted: 'p that’s everything i needed',
  },
  '0e8b236db74847ae': {
    company: 'p harper valley national bank',
    name: 'p my name is mary',
    understood: 'p what day would you like for your appointment',
    details: 'p scheduled for sunday at eleven a m',
    resolved: 'p appointment has been scheduled for sunday',
    accepted: 'p that’ll be it',
  },
  '0f4747d1a97f4388': {
    company: 'p harper valley national bank',
    name: 'p my name is jennifer',
    understood: 'p what is the transfer amount',
    details: 'p a hundred and eleven dollars for savings account',
    resolved: 'f',
    accepted: 'p that’ll be all for today',
  },
};

const KEYS: Record<string, string> = {
  'greeting.company': 'company',
  'greeting.name': 'name',
  'problem.understood': 'understood',
  'problem.details': 'details',
  'problem.resolved': 'resolved',
  'problem.accepted': 'accepted',
};
const VERDICTS: Record<string, string> = { p: 'pass', h: 'partial', f: 'fail', n: 'not_applicable' };

let server: ModelServer;
let sid = '';

beforeAll(async () => {
  server = await startModelServer(({ questions, lines }) => ({ text: JSON.stringify(answer({ questions, lines })) }));
});
afterAll(() => server.close());

/** Questions that are not in the table are the three where nothing has to be said: those pass. */
function answer({ questions, lines }: Pick<ModelRequest, 'questions' | 'lines'>): object {
  const titles = new Map(
    defaultRubric.categories.flatMap(({ checks }) => checks.map(({ key, title }): [string, string] => [title, key])),
  );
  const answers = questions.map(({ id, title }) => {
    const entry = SAID[sid]?.[KEYS[titles.get(title) ?? ''] ?? ''] ?? 'p';
    const [, letter = 'p', words = ''] = /^(\w)\s?(.*?)(?:\s*→ r)?$/u.exec(entry) ?? [];
    const plain = (text: string): string => text.toLowerCase().replaceAll('’', "'").replace(/!/gu, '');
    const line = lines.find(({ text }) => plain(text).includes(plain(words)))?.n ?? 1;
    const quotes = words === '' ? [] : [{ segment: line, text: words }];
    return { id, answer: VERDICTS[letter], rationale: 'As it is said.', quotes };
  });
  const quotes = [{ segment: 1, text: lines[0]?.text ?? '' }];
  const summary = [{ text: 'The customer called the bank and was helped.', quotes }];
  return { answers, summary, improvements: [], topics: [], actionItems: [] };
}

async function scoreByModel(stored: ReturnType<typeof storedCalls>[number]) {
  sid = stored.sid;
  const input = { ...storedTranscript(stored, 'text'), rubric: defaultRubric, agentName: stored.agentName };
  const prepared = prepareCall(input);
  if (!prepared) throw new Error('An agent speaks in each of these calls.');
  const kept = new Map<string, KeptAnswer>();
  const analyst = selectAnalyst({
    model: 'scripted',
    openaiBaseUrl: server.baseUrl,
    timeoutMs: 5000,
    windowTokens: 8000,
  });
  const digests = await analyst.ask({
    ...prepared,
    language: 'en',
    store: {
      has: async (digest) => kept.has(digest),
      save: async (digest, given) => void kept.set(digest, given),
    },
    signal: new AbortController().signal,
  });
  const modelAnswers = digests.flatMap((digest) => kept.get(digest)?.answers ?? []);
  return scoreCall({ ...input, modelAnswers });
}

/** What the reader of these calls expects, but for the claims of the model that nothing in the call shows. */
function expected(sid: string): CheckAnswer[] {
  const answers = readAnswers(EXPECTED[sid] ?? '');
  return CHECK_KEYS.map((key, index) => {
    const isInvented = SAID[sid]?.[KEYS[key] ?? '']?.endsWith('→ r') ?? false;
    return isInvented ? 'needs_review' : (answers[index] ?? 'needs_review');
  });
}

describe('the thirteen shared calls, asked of a language model', () => {
  it.each(storedCalls().map((stored) => [stored.sid, stored] as const))(
    '%s is answered as it is read',
    async (sid, stored) => {
      const scorecard = await scoreByModel(stored);
      const answers = answersOf(scorecard);
      expect(CHECK_KEYS.map((key) => `${key} ${answers[key]}`)).toEqual(
        CHECK_KEYS.map((key, index) => `${key} ${expected(sid)[index]}`),
      );
      expect(scorecard.complianceStatus).toBe('passed');
      expect(scorecard.summary).toMatch(/^The customer called the bank and was helped\. /);
      const texts = new Map(storedTranscript(stored, 'text').transcript.segments.map(({ id, text }) => [id, text]));
      const evidence = [...scorecard.checks, ...scorecard.complianceFindings].flatMap((each) => each.evidence);
      expect(evidence.length).toBeGreaterThan(5);
      for (const { segmentId, quote } of evidence) expect(texts.get(segmentId)).toContain(quote);
    },
  );
});
