import { afterEach, expect, it } from 'vitest';
import { defaultRubric } from '../../src/domain/profiles/default-rubric.ts';
import { AppError } from '../../src/lib/errors.ts';
import { TooExpensiveError } from '../../src/lib/too-expensive.ts';
import { scoreCall } from '../support/score-call.ts';
import type { HeavyWorkPool, HeavyWorkPoolOptions } from '../../src/heavy-work/pool.ts';
import { storedCalls, storedTranscript } from '../scoring/corpus.ts';
import { largeRubric, longCall, longVtt } from '../support/long-calls.ts';
import { openTestPool } from '../support/heavy-work.ts';

const pools: HeavyWorkPool[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

function open(options: Partial<HeavyWorkPoolOptions> = {}): HeavyWorkPool {
  const pool = openTestPool(options);
  pools.push(pool);
  return pool;
}

const forPipeline = { orgId: 'org_a', isAwaited: false };
const score = (pool: HeavyWorkPool, call: ReturnType<typeof longCall>, orgId = 'org_a') =>
  pool.run('score', { ...call, modelAnswers: null }, { orgId, isAwaited: false });
const short = () => longCall({ words: 60, rubric: defaultRubric, key: 'short' });
/** Seconds of work, where a short call takes a quarter of one in a process that has just begun. */
const expensive = () => longCall({ words: 60_000, rubric: largeRubric });

it('a process of its own scores every call as this one does', async () => {
  const pool = open();
  for (const stored of storedCalls()) {
    const { transcript, durationMs } = storedTranscript(stored, 'text');
    const direct = scoreCall({ transcript, durationMs, rubric: defaultRubric });
    const { text: _text, segments, ...said } = transcript;
    const call = { ...said, segments: JSON.stringify(segments), durationMs };
    for (const key of [null, 'default', 'default']) {
      const rubric = { key, json: JSON.stringify(defaultRubric) };
      const input = { transcript: call, rubric, agentName: null, durationSeconds: null, modelAnswers: null };
      const { scorecard } = await pool.run('score', input, forPipeline);
      expect(scorecard).toEqual(JSON.parse(JSON.stringify(direct)));
    }
  }
});

// Its processes make way for the tests beside it.
it('what takes too much processor time ends, alone', async () => {
  const pool = open({ cpuMsMax: 2_000 });
  const results = await Promise.allSettled([score(pool, expensive()), score(pool, short(), 'org_b')]);
  expect(results).toMatchObject([
    { status: 'rejected', reason: { name: 'TooExpensiveError', expense: 'time' } },
    { status: 'fulfilled' },
  ]);
  await expect(score(pool, short())).resolves.toMatchObject({ language: 'en' });
});

it('what takes too much memory ends its process and not this one, and others go on', async () => {
  const pool = open({ memoryBytesMax: 60_000_000 });
  const results = await Promise.allSettled([
    score(pool, longCall({ words: 150_000, rubric: defaultRubric })),
    score(pool, short(), 'org_b'),
  ]);
  expect(results).toMatchObject([
    { status: 'rejected', reason: { name: 'TooExpensiveError', expense: 'memory' } },
    { status: 'fulfilled' },
  ]);
  await expect(score(pool, short())).resolves.toMatchObject({ language: 'en' });
});

it('an organization with a queue of expensive calls keeps no other one waiting', async () => {
  const pool = open({ size: 3 });
  const ended: string[] = [];
  const theirs = Promise.allSettled([1, 2, 3].map(() => score(pool, expensive()).finally(() => ended.push('theirs'))));
  await score(pool, short(), 'org_b').finally(() => ended.push('ours'));
  expect(ended).toEqual(['ours']);
  await pool.close();
  await theirs;
});

it('more than may wait is refused for now, and so is everything once the pool is closed', async () => {
  const pool = open({ size: 3, waitingMax: 2 });
  const all = Promise.allSettled([1, 2, 3, 4].map(() => score(pool, expensive())));
  await score(pool, short(), 'org_b');
  await pool.close();
  const reasons = (await all).map((outcome) => (outcome.status === 'rejected' ? outcome.reason : null));
  const refused = (message: string) =>
    expect.objectContaining({ code: 'SERVICE_UNAVAILABLE', message, headers: { 'Retry-After': '5' } });
  const stopping = refused('The service is stopping. Try again in a moment.');
  const busy = refused('Too many calls of the organization wait to be worked on. Try again in a moment.');
  expect(reasons).toEqual([stopping, stopping, stopping, busy]);
  await expect(score(pool, short())).rejects.toEqual(stopping);
});

it('errors arrive as what they are', async () => {
  const pool = open();
  const given = { recordId: 'rec_1', language: null, agentName: null, redaction: 'none' as const };
  const read = (text: string) => pool.run('readTranscript', { ...given, text }, forPipeline);
  await expect(read('WEBVTT\n\nnonsense')).rejects.toBeInstanceOf(AppError);
  await expect(read('WEBVTT\n\nnonsense')).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    details: [{ path: 'transcript', message: expect.stringContaining('line 3') }],
  });
  await expect(read(longVtt(200_001))).rejects.toMatchObject({
    code: 'PAYLOAD_TOO_LARGE',
    message: 'The transcript has more than 200,000 words.',
  });
  const words = longCall({ words: 60, rubric: defaultRubric });
  const endless = [{ ...JSON.parse(words.transcript.segments)[0], text: 'so '.repeat(400_001) }];
  const tooLong = { ...words, transcript: { ...words.transcript, segments: JSON.stringify(endless) } };
  await expect(score(pool, tooLong)).rejects.toBeInstanceOf(TooExpensiveError);
  await expect(score(pool, { ...words, rubric: { key: null, json: '{' } })).rejects.toMatchObject({
    name: 'SyntaxError',
  });
});
