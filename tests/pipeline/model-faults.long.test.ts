import { afterAll, beforeAll, expect, it } from 'vitest';
import { selectAnalyst } from '../../src/providers/analysis/select.ts';
import { startModelServer, type ModelReply, type ModelServer } from '../support/model-server.ts';
import { pick, seededRandom } from '../support/random.ts';
import { createProviderScene, type ProviderScene } from './support/provider-scene.ts';

const callCount = 36;
const faultRate = 0.75;
const tokens = { input: 1000, output: 100 };
const priceOfRules = 0.01;
/** 1000 at 1 per million, and the same again where the model was asked to mend what it had said. */
const pricesOfModel = [priceOfRules + 0.001, priceOfRules + 0.002];

let server: ModelServer;
let scene: ProviderScene;

const empty = JSON.stringify({ answers: [], summary: [], improvements: [], topics: [], actionItems: [] });
const faults: [ModelReply, ...ModelReply[]] = [
  { status: 429, headers: { 'retry-after': '1' } },
  { status: 500 },
  { status: 502, body: '<html>Bad gateway</html>' },
  'hang',
  'cut',
  { text: 'I am only a model, ' + '\u0001'.repeat(20), ...tokens },
  { text: '{"answers": [{"id":', stop: 'length', ...tokens },
  { text: '{"answers": "all of them", "score": 100}', ...tokens },
];

beforeAll(async () => {
  server = await startModelServer(() => ({ text: empty, ...tokens }));
  const settings = { model: 'scripted', openaiBaseUrl: server.baseUrl, timeoutMs: 1_500, windowTokens: 16_000 };
  scene = await createProviderScene({
    env: { ANALYSIS_PRICE_INPUT_PER_MILLION: '1', PRICE_ANALYSIS_PER_RECORD: String(priceOfRules) },
    parts: { analyst: selectAnalyst(settings) },
  });
});
afterAll(async () => {
  await scene.close();
  await server.close();
});

type Analysed = { recordId: string; kind: string; code: string | null; message: string | null; cost: string };

async function analysed(): Promise<Analysed[]> {
  return scene.t.deps.services.db.withOrg(scene.org.orgId, async (tx) => [
    ...(await tx.execute<Analysed>(`
      select a.record_id as "recordId", a.engine_kind as kind, a.engine_fallback->>'code' as code,
             a.engine_fallback->>'message' as message, u.analysis_cost::text as cost
        from analyses a join usage_entries u on u.key = 'record:' || a.record_id
       where a.current order by a.record_id`)),
  ]);
}

it('every call is scored once while the model fails at random, by the rules where it did not answer, and by it once it is back', async () => {
  const random = seededRandom(20_261_121);
  server.answer(() => (random() < faultRate ? pick(random, faults) : { text: empty, ...tokens }));
  await scene.addCalls(callCount);
  const ended = await scene.ended();
  expect(ended.map(({ status }) => status)).toEqual(ended.map(() => 'completed'));

  const analyses = await analysed();
  expect(analyses).toHaveLength(callCount);
  const codes = ['RATE_LIMITED', 'UNAVAILABLE', 'TIMEOUT', 'BAD_RESPONSE', 'TOO_LONG'].map(
    (code) => `ANALYSIS_${code}`,
  );
  const byModel = analyses.filter(({ kind }) => kind === 'model');
  const byRules = analyses.filter(({ kind }) => kind === 'rules');
  for (const { code, cost } of byModel) expect([code, Number(cost)]).toEqual([null, expect.toBeOneOf(pricesOfModel)]);
  for (const { code, message, cost } of byRules) {
    const reason = [expect.toBeOneOf(codes), expect.stringMatching(/^The /)];
    expect([code, message, Number(cost)]).toEqual([...reason, priceOfRules]);
  }
  expect(byRules.length).toBeGreaterThan(2);
  expect(byModel.length).toBeGreaterThan(2);

  server.answer(() => ({ text: empty, ...tokens }));
  await scene.addCalls(4);
  await scene.ended();
  const later = (await analysed()).slice(callCount);
  expect(later.map(({ kind }) => kind)).toEqual(['model', 'model', 'model', 'model']);
  await scene.expectAllCompleted();
}, 300_000);
