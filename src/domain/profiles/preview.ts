import { setImmediate } from 'node:timers/promises';
import { visibilityOf } from '../../auth/principal.ts';
import { AppError, notFound, notNow } from '../../lib/errors.ts';
import { createTurns } from '../../lib/turns.ts';
import { readFacts } from '../../scoring/facts.ts';
import { scoreFacts } from '../../scoring/score-call.ts';
import type { OrgContext } from '../context.ts';
import { selectTranscript } from '../records/queries.ts';
import { selectRecord } from '../records/reading-queries.ts';
import type { Segment } from '../records/transcript.ts';
import { selectProfile } from './queries.ts';
import type { PreviewProfileInput, ProfilePreview } from './schemas.ts';
import { withChanges } from './service.ts';

const atOnceMax = 2;
const underWay = new Map<string, number>();
const turns = createTurns(1);

/**
 * Scores a call by a profile, or by a draft of it, and keeps nothing. Throws NOT_FOUND (profile, or a record that the
 * actor may not see), VALIDATION_ERROR (draft), CONFLICT while there is no transcript yet, UNPROCESSABLE where none will
 * come, RATE_LIMITED while the organization has two under way in this process.
 */
export async function previewProfile(
  { db, actor }: OrgContext,
  { id, recordId, draft }: PreviewProfileInput,
): Promise<ProfilePreview> {
  const [profile, record, transcript] = await db.readOrg(actor.orgId, (tx) =>
    Promise.all([
      selectProfile(tx, id),
      selectRecord(tx, recordId, visibilityOf(actor)),
      selectTranscript(tx, recordId),
    ]),
  );
  if (!profile) throw notFound('Profile');
  const rubric = draft ? withChanges(profile.rubric, draft, ['draft']) : profile.rubric;
  if (!record) throw notFound('Record');
  if (!transcript) throw withoutTranscript(record.status);
  const { language, source, model, channels, speakers, segments } = transcript;
  const text = segments.map((segment) => segment.text).join('\n');
  const call = { recordId, language, source, model, channels, speakers, segments, text };
  const { durationSeconds, agentName } = record;
  const durationMs = transcript.durationMs ?? (durationSeconds === null ? endOf(segments) : durationSeconds * 1000);
  return inTurn(actor.orgId, () => {
    const facts = readFacts({ transcript: call, durationMs, agentName });
    return {
      recordId,
      profile: { id, name: profile.name, version: draft ? null : profile.version },
      engine: { kind: 'rules', model: null },
      language: facts.language,
      ...scoreFacts({ facts, segments, rubric, model: null }),
    };
  });
}

/** One at a time, and other requests in between: nothing else goes on here while a call is scored. Throws RATE_LIMITED. */
async function inTurn<T>(orgId: string, score: () => T): Promise<T> {
  const count = underWay.get(orgId) ?? 0;
  if (count >= atOnceMax) throw busy();
  underWay.set(orgId, count + 1);
  try {
    return await turns(async () => {
      await setImmediate();
      return score();
    });
  } finally {
    const left = (underWay.get(orgId) ?? 1) - 1;
    if (left > 0) underWay.set(orgId, left);
    else underWay.delete(orgId);
  }
}

function busy(): AppError {
  const message = `${atOnceMax} previews of the organization are under way. Try again when one is done.`;
  return new AppError('RATE_LIMITED', message, { headers: { 'Retry-After': '1' } });
}

function withoutTranscript(status: 'pending' | 'processing' | 'completed' | 'failed'): AppError {
  if (status === 'pending' || status === 'processing') return notNow('The transcript is not ready yet.');
  const message =
    status === 'failed'
      ? 'The record has no transcript: its processing failed.'
      : 'The record has no transcript any more.';
  return new AppError('UNPROCESSABLE', message, { details: [{ path: 'recordId', message }] });
}

function endOf(segments: readonly Segment[]): number {
  return segments.reduce((end, { endMs }) => Math.max(end, endMs), 0);
}
