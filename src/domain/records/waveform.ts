import { visibilityOf } from '../../auth/principal.ts';
import type { OrgTx } from '../../db/scope.ts';
import { notFound } from '../../lib/errors.ts';
import type { OrgContext } from '../context.ts';
import { emitEvents } from '../events.ts';
import type { Waveform } from './schemas.ts';
import type { SpeakerRole } from './transcript.ts';
import * as queries from './waveform-queries.ts';

/** The loudness of some channels of a recording: `levels` holds a byte for each of the `points`, channel after channel. */
export type DrawnWaveform = {
  durationMs: number;
  points: number;
  channels: number[];
  levels: Buffer;
  /** What of the recording cannot be read, since it is damaged. */
  missingMs: number;
};

/**
 * How loud the recording is over time. Null where there is none; a recording that has never been decoded, since its
 * transcript came along, is on this occasion, which takes a moment. Throws NOT_FOUND.
 */
export async function getWaveform({ db, actor }: OrgContext, { id }: { id: string }): Promise<Waveform | null> {
  const [record, drawn, voices] = await db.readOrg(actor.orgId, (tx) =>
    Promise.all([
      queries.selectDrawable(tx, id, visibilityOf(actor)),
      queries.selectWaveform(tx, id),
      queries.selectVoices(tx, id),
    ]),
  );
  if (!record) throw notFound('Record');
  if (drawn) return toWaveform(drawn, voices);
  if (record.isDrawable) await db.withOrg(actor.orgId, (tx) => requestWaveform(tx, id));
  return null;
}

export async function saveWaveform(tx: OrgTx, recordId: string, drawn: DrawnWaveform): Promise<void> {
  const { missingMs, ...waveform } = drawn;
  await queries.upsertWaveform(tx, recordId, waveform);
  if (missingMs > 0) await queries.updateMissing(tx, recordId, missingMs);
}

/** Remembers that there is nothing to draw. */
export async function saveNoWaveform(tx: OrgTx, recordId: string): Promise<void> {
  await queries.upsertWaveform(tx, recordId, { durationMs: 0, points: 0, channels: [], levels: null });
}

export type DrawingSource = { storageKey: string; contentType: string | null };

/** The recording that is to be drawn; null where that is done, or there is none any more. It stays until the transaction ends. */
export async function getDrawingSource(tx: OrgTx, recordId: string): Promise<DrawingSource | null> {
  const source = await queries.lockDrawingSource(tx, recordId);
  if (!source?.storageKey || source.isDrawn) return null;
  const { storageKey, contentType } = source;
  return { storageKey, contentType };
}

/** Once an hour at most, however often it is looked at. */
async function requestWaveform(tx: OrgTx, recordId: string): Promise<void> {
  const hour = new Date().toISOString().slice(0, 13);
  const dedupeKey = `recording.waveform.requested:${recordId}:${hour}`;
  await emitEvents(tx, [{ type: 'recording.waveform.requested', data: { recordId }, dedupeKey }]);
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
