import type { Outputs } from '../../lib/trpc.ts';
import type { Segment } from '../transcript/segments.ts';

type Waveform = NonNullable<Outputs['records']['waveform']>;
type Role = Segment['role'];

/** What one party's track shows: loudness from 0 to 1, spread evenly over the recording. */
export type PlayerTrack = { role: Role; label: string; peaks: number[] };

const labels: Record<Role, string> = { agent: 'Agent', customer: 'Customer', ivr: 'System', unknown: 'Unknown' };
const order: Role[] = ['agent', 'customer', 'ivr', 'unknown'];
const pointsWithoutWaveform = 800;
const levelWithoutWaveform = 0.55;

/**
 * A track for each party. Where parties share a channel, its loudness goes to whoever speaks by the transcript; without
 * a waveform the tracks show when somebody speaks, and nothing of how loud.
 */
export function drawTracks(waveform: Waveform | null, segments: readonly Segment[], durationMs: number): PlayerTrack[] {
  const spoken = new Set(segments.map(({ role }) => role));
  const ownRoles = waveform?.roles.filter((role) => role !== null) ?? [];
  const roles = order.filter((role) => spoken.has(role) || ownRoles.includes(role));
  const shown = roles.length > 0 ? roles : (['unknown'] as const);
  return shown.map((role) => {
    if (!waveform) return { role, label: labels[role], peaks: blocks(segments, role, durationMs) };
    const channels = waveform.channels.map(decode);
    const own = waveform.roles.indexOf(role);
    const ownPeaks = channels[own];
    if (ownPeaks) return { role, label: labels[role], peaks: ownPeaks };
    const shared = channels.filter((_, index) => waveform.roles[index] === null);
    const loudest = Array.from({ length: waveform.points }, (_, at) =>
      Math.max(0, ...shared.map((all) => all[at] ?? 0)),
    );
    const peaks = spoken.size === 0 ? loudest : masked(loudest, segments, { role, durationMs: waveform.durationMs });
    return { role, label: labels[role], peaks };
  });
}

function decode(base64: string): number[] {
  return Array.from(atob(base64), (char) => char.charCodeAt(0) / 255);
}

type Voice = { role: Role; durationMs: number };

function masked(peaks: number[], segments: readonly Segment[], { role, durationMs }: Voice): number[] {
  const own = blocks(segments, role, durationMs, peaks.length);
  return peaks.map((level, at) => ((own[at] ?? 0) > 0 ? level : 0));
}

function blocks(
  segments: readonly Segment[],
  role: Role,
  durationMs: number,
  points = pointsWithoutWaveform,
): number[] {
  const peaks = Array.from({ length: points }, () => 0);
  for (const segment of segments) {
    if (segment.role !== role) continue;
    const from = Math.floor((segment.startMs / durationMs) * points);
    peaks.fill(levelWithoutWaveform, from, Math.max(from + 1, Math.ceil((segment.endMs / durationMs) * points)));
  }
  return peaks;
}
