import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestMember } from '../support/app.ts';
import { createWebhook } from '../support/webhooks.ts';
import { eventually } from './support/hosts.ts';
import { startWorld, type World } from './support/parity-world.ts';
import { readRunsOf, readTraces, type ShownRun } from './support/server-traces.ts';
import { serviceKinds, type DrivenService } from './support/services.ts';

/** Another file may have the server first. */
const patienceMs = 240_000;
/** Said in the call, and in nothing else that the service knows. */
const said = 'How can I help';

/** What somebody sees who looks for a call: each function that worked on it, with its steps. */
const expected: ShownRun[] = [
  { functionId: 'deliver-webhook', steps: ['attempt-1', 'wait-1', 'attempt-2'] },
  { functionId: 'evaluate-alerts', steps: ['evaluate'] },
  { functionId: 'process-record', steps: ['begin', 'fetch', 'transcribe', 'score', 'publish'] },
  { functionId: 'send-mail', steps: ['recipients', 'send', 'done'] },
  { functionId: 'transcribe-recording', steps: ['transcribe'] },
];
const functionIds = expected.map(({ functionId }) => functionId);

describe.each(serviceKinds)('the runs of a call on the $name', ({ name, isAvailable, start }) => {
  describe.runIf(isAvailable)('when it is there', () => {
    let world: World;
    let t: DrivenService;
    let member: TestMember;
    const startedAt = new Date();

    beforeAll(async () => {
      world = await startWorld();
      t = await start({ ...world.env, ANALYSIS_ENGINE: 'rules' });
      member = await t.createOrg();
    }, patienceMs);
    afterAll(async () => {
      await t.close();
      await world.close();
    });

    /** A call that has to be fetched and heard, fires a rule, is mailed about, and meets an endpoint that fails at first. */
    async function addCall(): Promise<string> {
      await createWebhook(t, member, { url: world.receiver.url('/fails-once'), events: ['record.completed'] });
      const condition = { field: 'duration', operator: 'gte', value: 0 };
      const recipients = [`here-${randomUUID()}@example.com`];
      const rule = { name: 'Any call', condition, actions: ['email'], recipients };
      expect((await t.as(member, { method: 'POST', url: '/api/v1/alerts', payload: rule })).status).toBe(201);
      const recordingUrl = world.recordings.url('/tone.wav');
      const payload = { externalId: randomUUID(), projectId: member.projectId, recordingUrl };
      const { status, body } = await t.as(member, { method: 'POST', url: '/api/v1/records/ingest', payload });
      expect(status).toBe(202);
      return body.data.id;
    }

    it(
      'are found by its id and show what was done, step by step, and nothing that was said',
      async () => {
        const id = await addCall();
        if (name === 'embedded engine') return expectOnEngine(id);
        const shown = await eventually(async () => {
          const found = await readRunsOf(id, startedAt);
          return found.length === expected.length ? found : undefined;
        }, patienceMs);
        const steps = shown.map((run) => ({ ...run, steps: run.steps.map((step) => step.replace(/:.*/, '')) }));
        expect(steps).toEqual(expected);
        const traces = (await readTraces(startedAt)).filter((trace) => trace.includes(id));
        expect(traces.length).toBeGreaterThan(expected.length);
        expect(traces.filter((trace) => trace.includes(said))).toEqual([]);
        expect(traces.filter((trace) => trace.includes('"httpStatus\\":500'))).not.toEqual([]);
      },
      patienceMs,
    );

    /** Its runs have their outputs, and its steps are counted. */
    async function expectOnEngine(id: string): Promise<void> {
      const runs = await eventually(async () => {
        const found = await t.deps.connections.system<{ functionId: string; row: string }[]>`
          select replace(function_id, 'earshot-', '') as "functionId", to_jsonb(r)::text as row from engine_runs r
           where output->>'recordId' = ${id} and status = 'completed' order by function_id`;
        return found.length === expected.length ? found : undefined;
      }, patienceMs);
      expect(runs.map(({ functionId }) => functionId)).toEqual(functionIds);
      expect(runs.filter(({ row }) => row.includes(said))).toEqual([]);
      const { body } = await t.app.inject('/metrics');
      const counted = [...body.matchAll(/function="process-record",step="(\w+)",outcome="ok"/g)].map(
        ([, step]) => step,
      );
      expect(new Set(counted)).toEqual(new Set(['begin', 'fetch', 'score', 'publish']));
    }
  });
});
