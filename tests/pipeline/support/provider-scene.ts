import { Readable } from 'node:stream';
import { newRecordId } from '../../../src/domain/records/service.ts';
import { createRecord } from '../../../src/domain/intake/service.ts';
import { createPipeline } from '../../../src/pipeline/assembly/pipeline.ts';
import type { PipelineDeps } from '../../../src/pipeline/dependencies.ts';
import { createTestApp, type TestMember } from '../../support/app.ts';
import { suppliedTranscript } from './calls.ts';
import { eventually } from './hosts.ts';
import { expectNothingLeft } from './invariants.ts';

/** A service whose providers fail as the test has it, and an organization with a budget that sends it calls. */
export type ProviderScene = Awaited<ReturnType<typeof createProviderScene>>;

export type CallRow = { id: string; status: string; failure: { code: string; message: string; retryable: boolean } };

/** `parts` takes the place of what the configuration would make. */
export async function createProviderScene({
  env = {},
  parts,
}: {
  env?: Record<string, string>;
  parts: Partial<PipelineDeps>;
}) {
  const t = await createTestApp({
    runPipeline: false,
    env: { LOG_LEVEL: 'silent', OUTBOUND_ALLOW: '127.0.0.1', ...env },
  });
  const org: TestMember = await t.createOrg();
  const { config, log, connections, services } = t.deps;
  const { system } = connections;
  await t.as(org, { method: 'PATCH', url: `/api/v1/billing/budget/${org.orgId}`, payload: { budgetLimit: 1000 } });
  const pipeline = createPipeline({
    config,
    log,
    databaseUrl: config.DATABASE_URL ?? '',
    db: services.db,
    system,
    storage: services.storage,
    heavyWork: services.heavyWork,
    secrets: services.secrets,
    transcribe: () => Promise.reject(new Error('Every call here brings its transcript.')),
    mailer: { send: async () => {} },
    crm: { call: () => Promise.reject(new Error('No call here comes from a portal.')) },
    ...parts,
  });
  await pipeline.start();
  let callCount = 0;

  /** Adds calls as the service takes them: with a recording that has to be heard, or with a transcript. */
  async function addCalls(
    count: number,
    {
      recording,
      language = null,
      fileContentType = 'audio/wav',
    }: { recording?: Buffer; language?: string | null; fileContentType?: string } = {},
  ): Promise<void> {
    for (let n = 0; n < count; n += 1) {
      const id = newRecordId();
      const base = { id, projectId: org.projectId, source: 'upload' as const, externalId: `x-${(callCount += 1)}` };
      const storageKey = `${org.orgId}/${id}`;
      if (recording) await services.storage.put(storageKey, Readable.from([recording]));
      await services.db.withOrg(org.orgId, (tx) =>
        recording
          ? createRecord(tx, { ...base, language, storageKey, fileContentType }, null)
          : createRecord(tx, { ...base, durationSeconds: 59 }, suppliedTranscript(id)),
      );
    }
  }

  async function calls(): Promise<CallRow[]> {
    return services.db.withOrg(org.orgId, async (tx) => [
      ...(await tx.execute<CallRow>('select id, status, failure from records order by id')),
    ]);
  }

  /** Until none is under way, with no time lost on waiting for the next attempt. Gives them all. */
  async function ended(timeoutMs = 60_000): Promise<CallRow[]> {
    return eventually(async () => {
      await system`update engine_queue set available_at = now() where available_at > now()`;
      const rows = await calls();
      return rows.every(({ status }) => status === 'completed' || status === 'failed') ? rows : undefined;
    }, timeoutMs);
  }

  async function expectAllCompleted(): Promise<void> {
    await expectNothingLeft({
      databaseUrl: config.DATABASE_URL ?? '',
      dataDir: t.dataDir,
      system,
      callCount,
      completedMin: callCount,
      isHurried: true,
    });
  }

  async function close(): Promise<void> {
    await pipeline.stop();
    await t.close();
  }

  return { t, org, addCalls, calls, ended, expectAllCompleted, close };
}
