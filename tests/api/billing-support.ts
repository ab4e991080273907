import { sql } from 'drizzle-orm';
import { formBytes, formType, wavHeader, type Part } from './upload-support.ts';
import type { TestApp, TestMember } from '../support/app.ts';
import { callVtt } from '../pipeline/support/calls.ts';

const silence = Buffer.alloc(1_000);

/** A WAV whose header says that it is so long, at 32,000 bytes a second. */
export function wavOf(seconds: number): Buffer {
  const size = seconds * 32_000;
  return Buffer.concat([wavHeader(44 + size), Buffer.alloc(size, silence)]);
}

export function callParts(
  member: TestMember,
  { seconds = 6, isSupplied = false, projectId = member.projectId } = {},
): Part[] {
  return [
    { name: 'projectId', content: projectId },
    { name: 'file', fileName: 'call.wav', type: 'audio/wav', content: wavOf(seconds) },
    ...(isSupplied ? [{ name: 'transcript', content: callVtt }] : []),
  ];
}

/** Uploads a call without a socket. */
export function uploadCall(t: TestApp, member: TestMember, options: Parameters<typeof callParts>[1] = {}) {
  const payload = formBytes(callParts(member, options));
  return t.as(member, {
    method: 'POST',
    url: '/api/v1/records/upload',
    headers: { 'content-type': formType },
    payload,
  });
}

export async function setBudget(t: TestApp, member: TestMember, budgetLimit: number | null) {
  return t.as(member, { method: 'PATCH', url: `/api/v1/billing/budget/${member.orgId}`, payload: { budgetLimit } });
}

export async function readSummary(t: TestApp, member: TestMember) {
  return (await t.as(member, { url: `/api/v1/billing/summary/${member.orgId}` })).body.data;
}

/** The three places that usage stands in, and what is held: they have to agree. As text, since money is exact. */
export async function readBooks(t: TestApp, { orgId }: TestMember) {
  const [row] = await t.deps.services.db.withOrg(orgId, (tx) =>
    tx.execute<Record<'entries' | 'days' | 'used' | 'reserved' | 'held', string>>(sql`
      select (select coalesce(sum(transcription_cost + analysis_cost), 0)::text from usage_entries) as entries,
             (select coalesce(sum(transcription_cost + analysis_cost), 0)::text from usage_days) as days,
             (select used::text from budgets) as used, (select reserved::text from budgets) as reserved,
             (select coalesce(sum(reserved_cost), 0)::text from records
               where status in ('pending', 'processing')) as held`),
  );
  if (!row) throw new Error('The database answered nothing.');
  return row;
}
