import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { defaultRubric } from '../../src/domain/profiles/default-rubric.ts';
import { AGENT_ACTS, CUSTOMER_ACTS } from '../../src/scoring/opinion/acts.ts';
import { readCourse } from '../../src/scoring/opinion/courses.ts';
import { decide } from '../../src/scoring/opinion/decide.ts';
import { PLACES } from '../../src/scoring/opinion/feature-list.ts';
import { featuresOf } from '../../src/scoring/opinion/features.ts';
import { readAmong } from '../../src/scoring/opinion/neighbours.ts';
import { opinionKeyOf } from '../../src/scoring/opinion/opinion-key.ts';
import { opinionOf } from '../../src/scoring/opinion/opinion.ts';
import { commonWords, readActs } from '../../src/scoring/opinion/read-acts.ts';
import { createTokenReader } from '../../src/model/text/tokens.ts';
import { sharesBy, unpackWeights } from '../../src/scoring/opinion/regressions.ts';
import { readValues } from '../../src/scoring/opinion/values-said.ts';
import type { ToldCall } from '../../src/scoring/opinion/windows.ts';
import { scoreCall } from '../support/score-call.ts';
import { readFacts } from '../../src/scoring/facts/facts.ts';
import { readLabelled, toTranscript } from './labelled.ts';
import { packWeights } from './training/pack.ts';

const opinion = fileURLToPath(new URL('../../src/scoring/opinion/', import.meta.url));
const [example] = readLabelled(readFileSync(new URL('../learning/calls-en.jsonl', import.meta.url), 'utf8')).calls;
if (!example) throw new Error('no call');
const call = toTranscript(example);

describe('the second opinion', () => {
  it('weighs less than a megabyte', () => {
    const weights = readdirSync(opinion).filter((name) => name.endsWith('-weights.ts'));
    expect(weights).toHaveLength(5);
    expect(weights.reduce((sum, name) => sum + statSync(opinion + name).size, 0)).toBeLessThan(1_000_000);
  });

  it('reads weights as they were packed, and refuses those of other features', () => {
    const packed = packWeights(Float32Array.of(0.5, -1, 0, 0.25, 1, 0.1), 2);
    const shares = sharesBy(unpackWeights(packed, 2), { places: Uint16Array.of(0), values: Float32Array.of(2) });
    expect([...shares].map((share) => Math.log(share / (1 - share)).toFixed(2))).toEqual(['2.00', '-1.90']);
    expect(() => unpackWeights(packed, PLACES)).toThrow('npm run train');
  });

  it('counts the figures and days that a customer gives, and those that are read back', () => {
    const valuesIn = (lines: readonly string[]): number[] => {
      const utterances = lines.map((text, at) => {
        return { role: at % 2 === 0 ? ('customer' as const) : ('agent' as const), text, acts: [] };
      });
      const heard = toTranscript({ id: 'v', language: 'en', style: 'typed', utterances });
      return readValues(readFacts({ ...heard, agentName: null }));
    };
    const back = valuesIn(['Thursday at nine please.', 'Thursday at nine it is.', 'Flat 12.', 'Right.']);
    const none = valuesIn(['Thursday at nine please.', 'Fine.', 'Flat 12.', 'Right.']);
    expect(back.slice(0, 3).map((value) => value.toFixed(2))).toEqual(['0.50', '1.10', '0.69']);
    expect(none.slice(0, 3).map((value) => value.toFixed(2))).toEqual(['0.00', '1.10', '0.00']);
    expect(valuesIn(['Hello.', 'Hello.'])[0]).toBe(-1);
  });

  it('tells what an utterance does from words that no rule lists', () => {
    const read = createTokenReader();
    const said = ['Moin zusammen, Deichwerk Kabel, Sie sprechen mit Anke.', 'Ja moin, mein Netz ist weg.'].map(
      (text, at) => {
        return { role: at === 0 ? ('agent' as const) : ('customer' as const), tokens: read(text) };
      },
    );
    const [first] = featuresOf(said, { language: 'de', common: commonWords() });
    if (!first) throw new Error('no features');
    const acts = readActs('agent', first);
    const likely = AGENT_ACTS.filter((_, act) => (acts[act] ?? 0) > 0.5);
    expect(likely).toEqual(expect.arrayContaining(['greeting', 'company']));
    expect(acts[AGENT_ACTS.indexOf('farewell')]).toBeLessThan(0.2);
  });

  it('reads an utterance again among those around it, and alone as its words say', () => {
    const acts = (names: readonly string[], likely: Record<string, number>): Float32Array =>
      Float32Array.from(names, (name) => likely[name] ?? 0.02);
    const open = { role: 'customer' as const, acts: acts(CUSTOMER_ACTS, { acceptance: 0.5 }) };
    const result = { role: 'agent' as const, acts: acts(AGENT_ACTS, { result_done: 0.95 }) };
    const refusal = { role: 'agent' as const, acts: acts(AGENT_ACTS, { refusal: 0.95, slight: 0.9 }) };
    const goodbye = { role: 'agent' as const, acts: acts(AGENT_ACTS, { farewell: 0.95 }) };
    const accepted = (before: typeof result): number =>
      readAmong([before, open, goodbye])[1]?.[CUSTOMER_ACTS.indexOf('acceptance')] ?? 0;
    expect(accepted(result)).toBeGreaterThan(accepted(refusal));
  });

  it('knows what was done last, what the customer says to it, and which details are read back', () => {
    const said = (role: 'agent' | 'customer', act: string, turn: number): ToldCall['told'][number] => {
      const names: readonly string[] = role === 'agent' ? AGENT_ACTS : CUSTOMER_ACTS;
      return { role, turn, at: 0, acts: Float32Array.from(names, (name) => (name === act ? 1 : 0)) };
    };
    const told = [
      said('customer', 'detail_given', 0),
      said('agent', 'detail_readback', 0),
      said('agent', 'refusal', 1),
      said('customer', 'objection', 1),
      said('agent', 'result_done', 2),
      said('customer', 'acceptance', 2),
    ];
    const call = { told, turns: { agent: 3, customer: 3 } };
    const [result, , , , refusal] = readCourse('problem.resolved', call);
    expect([result, refusal]).toEqual([2, 0]);
    const [acceptance, , objection] = readCourse('problem.accepted', call);
    expect([acceptance, objection]).toEqual([2, 0]);
    expect(readCourse('problem.details', call)[0]).toBe(2);
    expect(readCourse('closing.thanks', call)).toEqual([]);
  });

  it('knows the checks of the standard rubric by what they ask, and no other', () => {
    const checks = defaultRubric.categories.flatMap((category) => category.checks);
    expect(checks.filter((check) => opinionKeyOf(check, 'es') === check.key)).toHaveLength(13);
    expect(checks.filter((check) => opinionKeyOf(check, 'fr') !== null)).toHaveLength(0);
    const own = checks.flatMap((check) =>
      check.kind === 'phrase' ? [{ ...check, phrases: ['ahoy'], translations: {} }] : [],
    );
    expect(own.map((check) => opinionKeyOf(check, 'en')).filter((key) => key !== null)).toEqual([]);
  });

  it('changes no answer where it only tells, and says how sure each is and what it rests on', () => {
    const { checks, complianceFindings } = scoreCall({ ...call, rubric: defaultRubric, secondOpinion: 'tells' });
    for (const { basis, confidence } of [...checks, ...complianceFindings]) {
      expect(basis).toBeDefined();
      expect(confidence === null || (confidence !== undefined && confidence >= 0 && confidence <= 1)).toBe(true);
    }
    expect(checks.find(({ key }) => key === 'professionalism.clarity')).toMatchObject({
      basis: 'metric',
      confidence: 1,
    });
    expect(checks.find(({ key }) => key === 'greeting.opens')).toMatchObject({ answer: 'pass', basis: 'evidence' });
  });

  it('gives the same scorecard every time', () => {
    const once = scoreCall({ ...call, rubric: defaultRubric, secondOpinion: 'decides' });
    expect(scoreCall({ ...call, rubric: defaultRubric, secondOpinion: 'decides' })).toEqual(once);
  });
});

describe('a decision of both', () => {
  it('leaves evidence alone where such evidence is known to be right', () => {
    const opinion = opinionOf([0.1, 0, 0.9, 0]);
    const decided = decide({ key: 'greeting.opens', answer: 'pass', isShown: true, plain: 0.5, heard: 0.6 }, opinion);
    expect(decided).toMatchObject({ answer: 'pass', basis: 'evidence' });
  });

  it('takes no yes that is not heard, but where the rules know the words of a call', () => {
    const said = { key: 'professionalism.courtesy', answer: 'pass', isShown: true, plain: 0.5, heard: 0.3 } as const;
    const opinion = opinionOf([0.9, 0.05, 0.05, 0]);
    expect(decide(said, opinion)).toMatchObject({ answer: 'needs_review' });
    expect(decide({ ...said, heard: 0.6 }, opinion)).toMatchObject({ answer: 'pass' });
    expect(decide({ ...said, plain: 0.9 }, opinion)).toMatchObject({ answer: 'pass' });
  });

  it('is half sure of a no where nothing of the kind is heard in its place', () => {
    const nothing = { key: 'greeting.name', answer: 'fail', isShown: false, plain: 0.5, heard: 0.1 } as const;
    const opinion = opinionOf([0.3, 0, 0.6, 0.1]);
    expect(decide(nothing, opinion)).toMatchObject({ answer: 'fail', basis: 'absence' });
    expect(decide({ ...nothing, heard: 0.4 }, opinion)).toMatchObject({ answer: 'needs_review' });
  });

  it('takes nothing found for an answer only where the second opinion agrees', () => {
    const nothing = { key: 'closing.farewell', answer: 'fail', isShown: false, plain: 0.5, heard: 0.6 } as const;
    expect(decide(nothing, opinionOf([0.05, 0, 0.9, 0.05]))).toMatchObject({ answer: 'fail', basis: 'absence' });
    expect(decide(nothing, opinionOf([0.4, 0, 0.6, 0]))).toMatchObject({ answer: 'needs_review' });
    const named = { ...nothing, key: 'greeting.name' } as const;
    expect(decide(named, opinionOf([0.4, 0, 0.6, 0]))).toMatchObject({ answer: 'needs_review' });
    expect(decide(nothing, opinionOf([0.9, 0, 0.1, 0]))).toMatchObject({ answer: 'pass', basis: 'model' });
  });

  it('accuses nobody by what was learned, but may doubt that all was well', () => {
    const nothing = {
      key: 'professionalism.respect',
      answer: 'pass',
      isShown: false,

      plain: 0.5,
      heard: 0.6,
    } as const;
    expect(decide(nothing, opinionOf([0.02, 0, 0.98, 0]))).toMatchObject({ answer: 'needs_review' });
    expect(decide(nothing, opinionOf([0.9, 0, 0.1, 0]))).toMatchObject({ answer: 'pass', basis: 'absence' });
  });

  it('names the place to listen to where it leaves an answer to a person', () => {
    const { checks } = scoreCall({ ...call, rubric: defaultRubric, secondOpinion: 'decides' });
    for (const { answer, rationale, evidence } of checks) {
      if (answer !== 'needs_review') continue;
      expect(rationale).toMatch(/listen at \d+:\d\d\.$/u);
      expect(evidence.length).toBeGreaterThan(0);
    }
  });
});
