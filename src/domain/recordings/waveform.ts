import { hearsEverything, visibilityOf } from '../../auth/principal.ts';
import type { OrgTx } from '../../db/scope.ts';
import { notFound } from '../../lib/errors.ts';
import type { OrgContext } from '../context.ts';
import { emitEvents, newEvent } from '../events/service.ts';
import { joinStretches, type Stretch } from '../../model/stretches.ts';
import type { Waveform } from './schemas.ts';
import type { DrawnWaveform } from '../../model/waveform.ts';
import type { SpeakerRole } from '../../model/transcript.ts';
import * as queries from './waveform-queries.ts';

/**
 * The loudness of the recording over time. Null if there is none yet: a recording that was never decoded, as its
 * transcript was supplied, is then drawn in the background. People who may only hear the muted copy get its waveform,
 * and null until there is a copy. Throws NOT_FOUND.
 */
export async function getWaveform({ db, actor }: OrgContext, { id }: { id: string }): Promise<Waveform | null> {
  const mayBeLimited = !hearsEverything(actor);
  const [record, drawn, voices, redactions] = await db.readOrg(actor.orgId, (tx) =>
    Promise.all([
      queries.selectDrawable(tx, id, visibilityOf(actor)),
      queries.selectWaveform(tx, id),
      queries.selectVoices(tx, id),
      mayBeLimited ? queries.selectRedactions(tx, id) : [],
    ]),
  );
  if (!record) throw notFound('Record');
  const isLimited = mayBeLimited && record.isRedacted;
  if (drawn && isLimited) return record.isMuted ? toWaveform(muteWaveform(drawn, redactions), voices) : null;
  if (drawn) return toWaveform(drawn, voices);
  if (record.isDrawable) await db.withOrg(actor.orgId, (tx) => requestWaveform(tx, id));
  return null;
}

export async function saveWaveform(tx: OrgTx, recordId: string, drawn: DrawnWaveform): Promise<void> {
  const { missingMs, ...waveform } = drawn;
  await queries.upsertWaveform(tx, recordId, waveform);
  if (missingMs > 0) await queries.updateMissing(tx, recordId, missingMs);
}

/** Records that there is nothing to draw. */
export async function saveNoWaveform(tx: OrgTx, recordId: string): Promise<void> {
  await queries.upsertWaveform(tx, recordId, { durationMs: 0, points: 0, channels: [], levels: null });
}

export type DrawingSource = { storageKey: string; contentType: string | null };

/** The recording to draw; null if that is done, or it was deleted. Locked until the transaction ends. */
export async function getDrawingSource(tx: OrgTx, recordId: string): Promise<DrawingSource | null> {
  const source = await queries.lockDrawingSource(tx, recordId);
  if (!source?.storageKey || source.isDrawn) return null;
  const { storageKey, contentType } = source;
  return { storageKey, contentType };
}

/** At most once an hour, however often it is requested. */
async function requestWaveform(tx: OrgTx, recordId: string): Promise<void> {
  const hour = new Date().toISOString().slice(0, 13);
  await emitEvents(tx, [newEvent('recording.waveform.requested', { recordId }, `${recordId}:${hour}`)]);
}

/** Every point that touches a muted stretch becomes silent. */
function muteWaveform(drawn: queries.WaveformRow, redactions: readonly Stretch[]): queries.WaveformRow {
  const { points, durationMs } = drawn;
  if (drawn.levels === null || durationMs === 0) return drawn;
  const levels = Buffer.from(drawn.levels);
  for (const { startMs, endMs } of redactions.length === 0 ? [] : joinStretches(redactions)) {
    const first = Math.floor((startMs * points) / durationMs);
    const end = Math.min(points, Math.ceil((endMs * points) / durationMs));
    for (let at = 0; at < levels.length; at += points) levels.fill(0, Math.min(at + first, at + end), at + end);
  }
  return { ...drawn, levels };
}

type Voice = { channel: number; role: SpeakerRole };

function toWaveform(
  { durationMs, points, channels, levels }: queries.WaveformRow,
  voices: readonly Voice[],
): Waveform | null {
  if (levels === null) return null;
  return {
    durationMs,
    points,
    channels: channels.map((_, index) => levels.subarray(index * points, (index + 1) * points).toString('base64')),
    roles: channels.map((channel) => {
      const own = voices.filter((voice) => voice.channel === channel);
      return own.length === 1 ? (own[0]?.role ?? null) : null;
    }),
  };
}
