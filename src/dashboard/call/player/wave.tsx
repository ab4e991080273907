import { clsx } from 'clsx';
import { useEffect, useMemo, useRef, type PointerEvent } from 'react';
import { useIsDark } from '../../app/theme.ts';
import { formatClock } from '../../lib/format.ts';
import { styleNonce } from '../../lib/settings.ts';
import { useAtTime, useCall } from '../call-context.tsx';
import { drawTracks, type PlayerTrack } from './tracks.ts';
import { WaveMarks } from './wave-marks.tsx';

const trackHeightPx = 36;

/** The loudness of each party over time, with marks and the playback position. Press or drag to seek. */
export function Wave() {
  const { waveform, segments, durationMs, player } = useCall();
  const tracks = useMemo(() => drawTracks(waveform, segments, durationMs), [waveform, segments, durationMs]);
  const isDark = useIsDark();
  const seekTo = (event: PointerEvent<HTMLDivElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    player.seek(Math.min(1, Math.max(0, (event.clientX - left) / width)) * durationMs);
  };
  return (
    <div className="flex gap-2">
      <div aria-hidden="true" className="hidden w-16 shrink-0 sm:block">
        {tracks.map(({ role, label }) => (
          <div
            key={role}
            style={{ height: trackHeightPx }}
            className={clsx('flex items-center text-xs font-medium', trackText[role])}
          >
            {label}
          </div>
        ))}
      </div>
      <div className="relative min-w-0 flex-1" style={{ height: tracks.length * trackHeightPx }}>
        <Drawing key={isDark ? 'dark' : 'light'} tracks={tracks} />
        <WaveMarks />
        <Slider onSeek={seekTo} />
      </div>
    </div>
  );
}

const trackText: Record<PlayerTrack['role'], string> = {
  agent: 'text-agent',
  customer: 'text-customer',
  ivr: 'text-ink-faint',
  unknown: 'text-ink-soft',
};

/** The position for screen readers; the arrow keys that move it work on the whole screen. */
function Slider({ onSeek }: { onSeek: (event: PointerEvent<HTMLDivElement>) => void }) {
  const { durationMs } = useCall();
  const seconds = useAtTime((ms) => Math.floor(ms / 1000));
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label="Position in the recording"
      aria-valuemin={0}
      aria-valuemax={Math.round(durationMs / 1000)}
      aria-valuenow={seconds}
      aria-valuetext={`${formatClock(seconds * 1000)} of ${formatClock(durationMs)}`}
      className="absolute inset-0 cursor-pointer touch-none rounded"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        onSeek(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) onSeek(event);
      }}
    >
      <Cursor />
    </div>
  );
}

/** Moves every frame, bypassing React. */
function Cursor() {
  const { player, durationMs } = useCall();
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const move = (): void => {
      if (element.current) element.current.style.left = `${Math.min(100, (player.timeMs() / durationMs) * 100)}%`;
    };
    move();
    return player.subscribe(move);
  }, [player, durationMs]);
  return <div ref={element} className="pointer-events-none absolute -inset-y-0.5 -ml-px w-0.5 rounded bg-ink" />;
}

/** Bars by wavesurfer. It gets no recording, which it would pause, and does not need one to draw. */
function Drawing({ tracks }: { tracks: PlayerTrack[] }) {
  const { player, durationMs } = useCall();
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = container.current;
    if (!element) return;
    let isGone = false;
    let undo = (): void => undefined;
    void import('wavesurfer.js').then(({ default: WaveSurfer }) => {
      if (isGone) return;
      const nonce = styleNonce();
      const wave = WaveSurfer.create({
        container: element,
        height: trackHeightPx,
        peaks: tracks.map(({ peaks }) => peaks),
        duration: durationMs / 1000,
        splitChannels: tracks.map(({ role }) => trackColours(role)),
        barWidth: 2,
        barGap: 1,
        barRadius: 2,
        barMinHeight: 1,
        cursorWidth: 0,
        interact: false,
        hideScrollbar: true,
        ...(nonce && { cspNonce: nonce }),
      });
      const follow = (): void => wave.setTime(Math.min(player.timeMs(), durationMs) / 1000);
      wave.on('ready', follow);
      const stop = player.subscribe(follow);
      undo = () => {
        stop();
        wave.destroy();
      };
    });
    return () => {
      isGone = true;
      undo();
    };
  }, [tracks, durationMs, player]);
  return <div ref={container} aria-hidden="true" className="h-full" />;
}

/** The part after the playback position is paler. */
function trackColours(role: PlayerTrack['role']): { waveColor: string; progressColor: string } {
  const name = role === 'agent' || role === 'customer' ? role : 'ink-faint';
  const colour = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  return { waveColor: `color-mix(in oklab, ${colour} 50%, transparent)`, progressColor: colour };
}
