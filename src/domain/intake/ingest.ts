import { mayUseProject, visibilityOf } from '../../auth/principal.ts';
import { AppError, notNow } from '../../lib/errors.ts';
import type { OrgTx } from '../../db/scope.ts';
import { release, reserveRecord } from '../billing/metering.ts';
import type { Prices } from '../billing/prices.ts';
import type { BilledContext, HeavyContext } from '../context.ts';
import type { KeptTranscript } from '../transcripts/kept-transcript.ts';
import * as queries from '../records/service.ts';
import { startOver } from './start-over.ts';
import type { NewRecord, RecordRow } from '../records/rows.ts';
import { selectMemberIdByEmail } from './queries.ts';
import type { RecordReceipt } from '../records/schemas.ts';
import type { IngestRecordInput } from './schemas.ts';
import { newRecordId, toReceipt } from '../records/service.ts';
import { createRecord, toColumns } from './create-record.ts';
import { requireProject } from '../projects/service.ts';
import { supplyTranscript } from '../transcripts/supply-transcript.ts';
import { storingRedacted } from '../transcripts/redaction-checks.ts';

/**
 * Accepts a call whose recording the pipeline then fetches from an address. The same (organization, source, external
 * id) again returns the first record and `isNew: false`; if that one has failed and the address is another, it starts
 * over with it. Throws NOT_FOUND for the project, what `supplyTranscript`
 * throws, CONFLICT if the actor may not see the first record, BUDGET_EXCEEDED for a new one.
 */
export async function ingestRecord(
  context: BilledContext & HeavyContext,
  input: IngestRecordInput,
): Promise<{ receipt: RecordReceipt; isNew: boolean }> {
  const id = newRecordId();
  const agentName = input.agentName ?? input.agent?.name ?? null;
  const store = (transcript: KeptTranscript | null) => storeCall(context, { input, id, agentName, transcript });
  if (input.transcript == null) return store(null);
  const transcript = await readTranscript(context, { input, id, agentName });
  return storingRedacted({ ...context, orgId: context.actor.orgId }, transcript, store);
}

type GivenCall = { input: IngestRecordInput; id: string; agentName: string | null };

async function storeCall(
  context: BilledContext,
  { input, id, agentName, transcript }: GivenCall & { transcript: KeptTranscript | null },
): Promise<{ receipt: RecordReceipt; isNew: boolean }> {
  const { db, actor } = context;
  return db.withOrg(actor.orgId, async (tx) => {
    await requireProject(tx, actor, input.projectId);
    const agentUserId = await findAgent(tx, input.agent?.email);
    const isKnown = (await queries.selectByExternalId(tx, input.source, input.externalId)) !== undefined;
    const record = { ...toRecord(input, id), agentName, agentUserId, uploadedBy: actor.userId };
    const receipt = isKnown ? null : await createWithinBudget(tx, context.prices, { record, transcript });
    if (receipt) return { receipt, isNew: true };
    const existing = await queries.selectByExternalId(tx, input.source, input.externalId);
    if (!existing) throw notNow('The record was deleted at this moment. Send the call again.', 1);
    if (!mayUseProject(actor, existing.projectId)) {
      throw new AppError('CONFLICT', 'A call with this external id exists in a project that you may not use.');
    }
    return answerKnown(tx, context, { known: existing, recordingUrl: input.recordingUrl });
  });
}

type Known = { known: RecordRow; recordingUrl: string };

/** A call that failed takes a new address. Whoever is second finds it under way already. */
async function answerKnown(
  tx: OrgTx,
  { actor, prices }: BilledContext,
  { known, recordingUrl }: Known,
): Promise<{ receipt: RecordReceipt; isNew: boolean }> {
  if (known.status !== 'failed' || known.recordingUrl === recordingUrl || known.contentDeletedAt !== null) {
    return { receipt: toReceipt(known), isNew: false };
  }
  const row = (await queries.lockRecord(tx, known.id, visibilityOf(actor))) ?? known;
  if (row.status !== 'failed') return { receipt: toReceipt(row), isNew: false };
  return { receipt: await startOver(tx, prices, { row, recordingUrl }), isNew: true };
}

type NewCall = { record: NewRecord; transcript: KeptTranscript | null };

/** Null if the same call arrived at this moment; then nothing stays reserved. */
async function createWithinBudget(
  tx: OrgTx,
  prices: Prices,
  { record, transcript }: NewCall,
): Promise<RecordReceipt | null> {
  const { durationSeconds = null } = record;
  const reservedCost = await reserveRecord(tx, prices, { durationSeconds, needsTranscription: transcript === null });
  const receipt = await createRecord(tx, { ...record, reservedCost }, transcript);
  if (!receipt) await release(tx, reservedCost);
  return receipt;
}

async function readTranscript(context: HeavyContext, { input, id, agentName }: GivenCall): Promise<KeptTranscript> {
  const { db, actor } = context;
  const { transcript, language = null, projectId } = input;
  const { redaction } = await db.withOrg(actor.orgId, (tx) => requireProject(tx, actor, projectId));
  const text = typeof transcript === 'string' ? transcript : JSON.stringify(transcript);
  return supplyTranscript(context, { text, recordId: id, language, agentName, redaction });
}

function toRecord(input: IngestRecordInput, id: string): NewRecord {
  return {
    id,
    projectId: input.projectId,
    source: input.source,
    externalId: input.externalId,
    recordingUrl: input.recordingUrl,
    durationSeconds: input.duration ?? null,
    ...toColumns(input),
    crm: input.crm ?? null,
    tags: input.tags ?? [],
    metadata: input.metadata ?? {},
  };
}

async function findAgent(tx: OrgTx, email: string | null | undefined): Promise<string | null> {
  return email ? selectMemberIdByEmail(tx, email) : null;
}
