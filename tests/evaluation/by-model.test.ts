import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { analystOf, judgeByModel } from './by-model.ts';
import { readLabelled, type LabelledCall } from './labelled.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer(({ questions, lines }) => {
    const first = lines.find(({ by }) => by === 'agent');
    const quotes = [{ segment: first?.n ?? 1, text: first?.text ?? '' }];
    const answers = questions.map(({ id, prove }) => ({
      id,
      answer: 'pass',
      rationale: 'Es wird gesagt.',
      quotes: prove === 'pass' ? quotes : [],
    }));
    const none = { summary: [], improvements: [], topics: [], actionItems: [] };
    return { text: JSON.stringify({ answers, ...none }), input: 100, output: 10 };
  });
});
afterAll(() => server.close());

function labelled(language: string): LabelledCall {
  const file = fileURLToPath(new URL(`../learning/calls-${language}.jsonl`, import.meta.url));
  const [call] = readLabelled(readFileSync(file, 'utf8')).calls;
  if (!call) throw new Error('no call');
  return call;
}

describe('an evaluation by a language model', () => {
  it('asks the model that the environment names, in the language of the call, and keeps who answered', async () => {
    const analyst = analystOf({ ANALYSIS_MODEL: 'scripted', OPENAI_BASE_URL: server.baseUrl });
    const { scorecard, judgements } = await judgeByModel(labelled('de'), analyst);
    expect(server.received.at(-1)?.user).toContain('in German');
    const company = scorecard.checks.find(({ key }) => key === 'greeting.company');
    expect(company).toMatchObject({ answer: 'pass', basis: 'model', rationale: 'Es wird gesagt.' });
    expect(company?.confidence).toBeGreaterThan(0);
    expect(judgements.find(({ key }) => key === 'greeting.company')).toMatchObject({ given: 'pass', truth: 'pass' });
  });

  it('says which setting is missing', () => {
    expect(() => analystOf({})).toThrow('ANALYSIS_MODEL');
  });
});
