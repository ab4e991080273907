import { randomBytes } from 'node:crypto';
import { insertModelAnswer } from '../../src/domain/analyses/model-answers.ts';
import { chargeRecord } from '../../src/domain/billing/metering.ts';
import { readPseudonyms } from '../../src/domain/mail/pseudonyms.ts';
import { insertRefusal } from '../../src/domain/mail/queries.ts';
import { claimMail } from '../../src/domain/mail/service.ts';
import { grantCredits } from '../../src/domain/billing/service.ts';
import { updateSettled } from '../../src/domain/onboarding/queries.ts';
import { announceCalls } from '../../src/domain/portals/calls.ts';
import { selectPortalByMember } from '../../src/domain/portals/queries.ts';
import { beginReport } from '../../src/domain/portals/reports.ts';
import { searchPassages, searchPassagesDue, searchRemakes } from '../../src/db/schema/index.ts';
import { newId } from '../../src/lib/ids.ts';
import { toCallFacts } from '../../src/providers/crm/bitrix24-calls.ts';
import { insertMuted } from '../../src/domain/recordings/muting-queries.ts';
import { saveWaveform } from '../../src/domain/recordings/waveform.ts';
import { evaluateOrdered } from '../support/alert-orders.ts';
import type { TestApp, TestMember } from '../support/app.ts';
import { seedAnalysis } from '../support/seed.ts';
import { send } from '../support/send.ts';
import { endpointUrl } from './operations-webhooks.ts';

const noAnswers = { answers: [], summary: [], improvements: [], topics: [], actionItems: [] };

/** At least one row of the organization in every tenant table. A new table has to join, or its test fails. */
export async function seedEveryTable(t: TestApp, member: TestMember): Promise<{ recordId: string }> {
  const ingested = await send(t, member, {
    method: 'POST',
    url: '/api/v1/records/ingest',
    payload: {
      externalId: 'call-1',
      projectId: member.projectId,
      recordingUrl: 'https://recordings.example.com/1.wav',
      customerPhone: '+447700900123',
      transcript: 'WEBVTT\n\n00:00.000 --> 00:02.000\n<v Agent>Hello, how can I help?\n',
    },
  });
  const recordId: string = ingested.body.data.id;
  await send(t, member, { method: 'PATCH', url: `/api/v1/records/${recordId}`, payload: { tags: ['seeded'] } });
  const analysisId = await seedAnalysis(t, member, { recordId });
  const analysisUrl = `/api/v1/analyses/${analysisId}`;
  await send(t, member, { method: 'POST', url: `${analysisUrl}/annotations`, payload: { text: 'A note' } });
  // Fires when the review that follows leaves no score.
  const condition = { field: 'complianceStatus', operator: 'eq', value: 'needs_review' };
  await send(t, member, { method: 'POST', url: '/api/v1/alerts', payload: { name: 'Unsettled', condition } });
  const endpoint = { url: endpointUrl, events: ['alert.triggered'] };
  const webhook = await send(t, member, { method: 'POST', url: '/api/v1/webhooks', payload: endpoint });
  await send(t, member, { method: 'POST', url: `/api/v1/webhooks/${webhook.body.data.id}/test` });
  const payload = { verdict: 'rejected', comment: 'A test call.' };
  await send(t, member, { method: 'POST', url: `${analysisUrl}/review`, payload });
  await evaluateOrdered(t, member);
  await t.deps.connections.system`
    insert into uploads (org_id, storage_key) values (${member.orgId}, ${`${member.orgId}/${recordId}`})`;
  await send(t, member, {
    method: 'POST',
    url: '/api/v1/users/invite',
    headers: { 'idempotency-key': 'invite-1' },
    payload: { email: 'invited@example.com', role: 'agent' },
  });
  const { system } = t.deps.connections;
  await system`
    insert into portals (org_id, id, member_id, domain, project_id)
    values (${member.orgId}, ${newId('portal')}, ${member.orgId}, 'a.bitrix24.com', ${member.projectId})`;
  await system`
    insert into sessions (org_id, id, user_id, hash, portal_origin, expires_at)
    values (${member.orgId}, 'ses_1', ${member.userId}, ${randomBytes(32)}, 'https://a.bitrix24.com', now() + interval '1 hour')`;
  await send(t, member, {
    method: 'PATCH',
    url: `/api/v1/billing/budget/${member.orgId}`,
    payload: { budgetLimit: 100 },
  });
  const { db, prices } = t.deps.services;
  await db.withOrg(member.orgId, async (tx) => {
    const portal = await selectPortalByMember(tx, member.orgId);
    const facts = toCallFacts({ CALL_ID: 'call-1' });
    if (!portal || !facts) throw new Error('The portal was not seeded.');
    await announceCalls(tx, portal, { calls: [facts], announcedBy: 'event' });
    await beginReport(tx, { analysisId, kind: 'comment' });
  });
  await db.withOrg(member.orgId, (tx) =>
    chargeRecord(tx, prices, {
      recordId,
      projectId: member.projectId,
      durationSeconds: 60,
      isTranscribed: true,
      reservedCost: null,
    }),
  );
  await db.withOrg(member.orgId, async (tx) => {
    await readPseudonyms(tx);
    await insertRefusal(tx, 'somebody');
    await claimMail(tx, { orderId: newId('event'), recipient: 'somebody' }, 'run', 1000);
  });
  await db.withOrg(member.orgId, (tx) =>
    insertModelAnswer(tx, { recordId, digest: 'a', answer: { answers: noAnswers, inputTokens: 1, outputTokens: 1 } }),
  );
  await db.withOrg(member.orgId, (tx) =>
    insertMuted(tx, recordId, { storageKey: null, sizeBytes: null, sha256: null }),
  );
  await db.withOrg(member.orgId, (tx) =>
    saveWaveform(tx, recordId, { durationMs: 50, points: 1, channels: [0], levels: Buffer.alloc(1), missingMs: 0 }),
  );
  await db.withOrg(member.orgId, async (tx) => {
    const document = { orgId: member.orgId, recordId, kind: 'record' as const };
    await tx.insert(searchPassages).values({ ...document, number: 0, body: 'hello', lexemes: "'hello':1" });
    await tx.insert(searchPassagesDue).values(document);
    await tx.insert(searchRemakes).values({ orgId: member.orgId, createdAt: new Date(), recordId: '' });
  });
  await db.withOrg(member.orgId, (tx) => updateSettled(tx, member.userId, { key: 'key', as: 'skipped' }));
  await grantCredits({ db }, { orgId: member.orgId, type: 'grant', amount: '10', description: 'For tests' });
  return { recordId };
}
