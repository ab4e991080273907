import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formBytes, formType } from '../api/upload-support.ts';
import { asAdmin, eventually, hurry } from '../pipeline/support/hosts.ts';
import { silentWav } from '../pipeline/support/recording-server.ts';
import { readTraces } from '../pipeline/support/server-traces.ts';
import { serviceKinds, type DrivenService } from '../pipeline/support/services.ts';
import { startDeepgram, type DeepgramServer } from '../support/deepgram-server.ts';
import type { TestMember } from '../support/app.ts';

/** Said in every call here, and in nothing else that the service knows. */
const canary = 'Blackwood';
const greeting = `Thank you for calling Acme, this is Sarah ${canary}. How can I help you today?`;
const callVtt = `WEBVTT

00:01.000 --> 00:05.000
<v Agent>${greeting}

00:06.000 --> 00:12.000
<v Customer>I was charged twice, says ${canary}.

00:13.000 --> 00:18.000
<v Agent>I am sorry. I will refund the second payment right away.
`;

/** The beginnings of the lines that mention it. */
function linesWith(lines: string[], word: string): string[] {
  return lines.flatMap((line) => (line.includes(word) ? [line.slice(0, 200)] : []));
}

describe.each(serviceKinds)('an error of the database, on the $name', ({ name, isAvailable, start }) => {
  describe.runIf(isAvailable)('when it is there', () => {
    let t: DrivenService;
    let member: TestMember;
    let speech: DeepgramServer;
    let logged = '';
    const startedAt = new Date();
    const isEmbedded = name === 'embedded engine';
    const log = new Writable({
      write(chunk, _encoding, done) {
        logged += String(chunk);
        done();
      },
    });

    /** Two calls whose words the database refuses: one while it is heard, one while its evidence is stored. */
    beforeAll(async () => {
      speech = await startDeepgram([{ speaker: 0, start: 0.4, end: 3.2, text: greeting }]);
      const env = { SPEECH_ENGINE: 'deepgram', DEEPGRAM_API_KEY: 'key', DEEPGRAM_BASE_URL: speech.baseUrl };
      t = await start({ ...env, OUTBOUND_ALLOW: '127.0.0.1', LOG_LEVEL: 'trace' }, log);
      member = await t.createOrg();
      await asAdmin(t.deps.config.DATABASE_URL ?? '', async (sql) => {
        await sql`alter table transcripts add constraint no_heard check (source = 'supplied' or segments::text not like ${sql.unsafe(`'%${canary}%'`)})`;
        await sql`alter table analyses add constraint no_evidence check (checks::text not like ${sql.unsafe(`'%${canary}%'`)})`;
      });
    }, 240_000);
    afterAll(async () => {
      await speech.close();
      await t.close();
    });

    async function upload(transcript?: string): Promise<string> {
      const payload = formBytes([
        { name: 'projectId', content: member.projectId },
        { name: 'metadata', content: JSON.stringify({ externalId: randomUUID() }) },
        ...(transcript === undefined ? [] : [{ name: 'transcript', content: transcript }]),
        { name: 'file', fileName: 'call.wav', type: 'audio/wav', content: silentWav(20_000) },
      ]);
      const headers = { 'content-type': formType };
      const { status, body } = await t.as(member, {
        method: 'POST',
        url: '/api/v1/records/upload',
        headers,
        payload,
      });
      expect({ status, body }).toMatchObject({ status: 201 });
      return body.data.id;
    }

    it('leaves no word of the call in engine state, events, traces and the log, and says what kind it was', async () => {
      const { system } = t.deps.connections;
      const ids = [await upload(), await upload(callVtt)];
      const left = isEmbedded ? await untilFailed(ids) : await untilTraced();
      expect(linesWith(left, '23514').length).toBeGreaterThan(0);
      const outbox = await system<{ row: string }[]>`select to_jsonb(o)::text as row from outbox o`;
      expect(linesWith([...left, ...outbox.map(({ row }) => row)], canary)).toEqual([]);
      const lines = logged.split('\n');
      expect(linesWith(lines, 'no_heard').length).toBeGreaterThan(0);
      expect(linesWith(lines, 'Failed query').length).toBeGreaterThan(0);
      expect(linesWith(lines, canary)).toEqual([]);
    }, 240_000);

    /** Retries come at once. Gives all that the engine keeps. */
    async function untilFailed(ids: string[]): Promise<string[]> {
      const { system } = t.deps.connections;
      await eventually(async () => {
        await hurry(system);
        const rows = await system`select failure from records where id in ${system(ids)} and status = 'failed'`;
        if (rows.length < ids.length) return undefined;
        expect(rows.map(({ failure }) => failure.code)).toEqual(['PROCESSING_FAILED', 'PROCESSING_FAILED']);
        return true;
      }, 60_000);
      const rows = await system<{ row: string }[]>`
        select to_jsonb(r)::text as row from engine_runs r
        union all select to_jsonb(s)::text from engine_steps s
        union all select to_jsonb(q)::text from engine_queue q
        union all select to_jsonb(w)::text from engine_waits w`;
      const left = rows.map(({ row }) => row);
      for (const rule of ['no_heard', 'no_evidence']) expect(linesWith(left, rule).length).toBeGreaterThan(0);
      return left;
    }

    /** A server takes minutes to give up: its trace has the first attempts of both. */
    async function untilTraced(): Promise<string[]> {
      return eventually(async () => {
        const left = await readTraces(startedAt);
        const isTold = ['no_heard', 'no_evidence'].every((rule) => linesWith(left, rule).length > 0);
        return isTold ? left : undefined;
      }, 120_000);
    }
  });
});
