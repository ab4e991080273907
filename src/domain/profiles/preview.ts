import { visibilityOf } from '../../auth/principal.ts';
import { AppError, notFound, notNow, unprocessable } from '../../lib/errors.ts';
import { TooExpensiveError } from '../../lib/too-expensive.ts';
import type { HeavyContext } from '../context.ts';
import type { CallToScore, HeavyTasks } from '../heavy-work.ts';
import { selectKeptTranscript } from '../transcripts/service.ts';
import { selectRecord } from '../records/service.ts';
import { selectProfile } from './queries.ts';
import type { PreviewProfileInput, ProfilePreview } from './schemas.ts';
import { withChanges, withoutProfile } from './service.ts';

const atOnceMax = 2;
const underWay = new Map<string, number>();

/**
 * Scores a call by a profile or a draft of it, and stores nothing. Throws NOT_FOUND (profile, or a record that the
 * actor may not see), VALIDATION_ERROR (draft), CONFLICT while there is no transcript yet, UNPROCESSABLE if there will
 * be none or scoring takes too much work, RATE_LIMITED while the organization has two previews running in this process.
 */
export async function previewProfile(
  context: HeavyContext,
  { id, recordId, draft }: PreviewProfileInput,
): Promise<ProfilePreview> {
  const { db, actor, heavyWork } = context;
  const [profile, record, transcript] = await db.readOrg(actor.orgId, (tx) =>
    Promise.all([
      selectProfile(tx, id),
      selectRecord(tx, recordId, visibilityOf(actor)),
      selectKeptTranscript(tx, recordId),
    ]),
  );
  if (!profile) throw await withoutProfile(context, draft ?? {}, ['draft']);
  const version = draft ? null : profile.version;
  const scored = await amongFew(actor.orgId, async () => {
    const rubric = draft ? await withChanges(context, profile.rubric, draft, ['draft']) : profile.rubric;
    if (!record) throw notFound('Record');
    if (!transcript) throw withoutTranscript(record.status);
    const { language, source, model, channels, speakers, segments, durationMs } = transcript;
    const { duration: durationSeconds, agentName } = record;
    const call: CallToScore = {
      transcript: { recordId, language, source, model, channels, speakers, segments, durationMs },
      rubric: { key: version === null ? null : `${actor.orgId}/${id}/${version}`, json: JSON.stringify(rubric) },
      agentName,
      durationSeconds,
    };
    return heavyWork.run('score', { ...call, modelAnswers: null }, { orgId: actor.orgId, isAwaited: true });
  });
  return {
    recordId,
    profile: { id, name: profile.name, version },
    engine: { kind: 'rules', model: null },
    language: scored.language,
    ...scored.scorecard,
  };
}

type Scored = ReturnType<HeavyTasks['score']>;

/** Throws RATE_LIMITED, or UNPROCESSABLE if the call and the profile take too much work together. */
async function amongFew(orgId: string, score: () => Promise<Scored>): Promise<Scored> {
  const count = underWay.get(orgId) ?? 0;
  if (count >= atOnceMax) throw busy();
  underWay.set(orgId, count + 1);
  try {
    return await score();
  } catch (error) {
    throw error instanceof TooExpensiveError ? tooExpensive(error) : error;
  } finally {
    const left = (underWay.get(orgId) ?? 1) - 1;
    if (left > 0) underWay.set(orgId, left);
    else underWay.delete(orgId);
  }
}

function tooExpensive(cause: TooExpensiveError): AppError {
  const message = 'Scoring this call with this profile takes too much work. Use fewer phrases, or a shorter call.';
  return unprocessable('recordId', message, cause);
}

function busy(): AppError {
  const message = `${atOnceMax} previews of the organization are running. Try again when one is done.`;
  return new AppError('RATE_LIMITED', message, { headers: { 'Retry-After': '1' } });
}

function withoutTranscript(status: 'pending' | 'processing' | 'completed' | 'failed'): AppError {
  if (status === 'pending' || status === 'processing') return notNow('The transcript is not ready yet.');
  const message =
    status === 'failed'
      ? 'The record has no transcript: its processing failed.'
      : 'The record has no transcript any more.';
  return unprocessable('recordId', message);
}
