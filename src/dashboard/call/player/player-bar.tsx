import { clsx } from 'clsx';
import { FastForward, Keyboard, Pause, Play, RotateCcw, RotateCw } from 'lucide-react';
import { formatClock } from '../../lib/format.ts';
import { messageOf } from '../../lib/trpc.ts';
import { Button, IconButton, Spinner } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { useAtTime, useCall, usePlayerState } from '../call-context.tsx';
import { rates } from './player.ts';
import { Wave } from './wave.tsx';
import { WaveLegend } from './wave-marks.tsx';

export const skipMs = 5_000;

/** Waveform and controls. A call without a recording has neither. */
export function PlayerBar({ onHelp }: { onHelp: () => void }) {
  const { problem } = usePlayerState();
  const { player } = useCall();
  return (
    <section aria-label="Recording" className="border-b border-line bg-surface px-4 pt-3 pb-2 sm:px-6">
      <Wave />
      <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2">
        <Transport />
        <Clock />
        <div className="ml-auto flex items-center gap-2">
          <WaveLegend />
          <Pace />
          <IconButton
            label="Keyboard shortcuts"
            className="max-sm:hidden"
            onClick={onHelp}
            icon={<Keyboard className="size-4" aria-hidden />}
          />
        </div>
      </div>
      {problem !== null && (
        <p role="alert" className="mt-1 flex flex-wrap items-center gap-2 text-xs text-bad">
          {messageOf(problem)}
          <Button size="sm" onClick={player.play}>
            Try again
          </Button>
        </p>
      )}
    </section>
  );
}

function Transport() {
  const { player } = useCall();
  const { isPlaying, isWaiting } = usePlayerState();
  const label = isPlaying ? 'Pause' : 'Play';
  return (
    <div className="flex items-center gap-1">
      <IconButton
        label="Back 5 seconds"
        onClick={() => player.seek(player.timeMs() - skipMs)}
        icon={<RotateCcw className="size-4" aria-hidden />}
      />
      <button
        type="button"
        aria-label={label}
        title={`${label} (space)`}
        onClick={player.toggle}
        className="grid size-10 place-items-center rounded-full bg-accent text-on-accent shadow-card transition-colors hover:bg-accent-strong"
      >
        {isPlaying && isWaiting && <Spinner />}
        {isPlaying && !isWaiting && <Pause className="size-4.5 fill-current" aria-hidden />}
        {!isPlaying && <Play className="ml-0.5 size-4.5 fill-current" aria-hidden />}
      </button>
      <IconButton
        label="Forward 5 seconds"
        onClick={() => player.seek(player.timeMs() + skipMs)}
        icon={<RotateCw className="size-4" aria-hidden />}
      />
    </div>
  );
}

function Clock() {
  const { durationMs } = useCall();
  const seconds = useAtTime((ms) => Math.floor(ms / 1000));
  return (
    <span className="text-sm tabular-nums">
      <span className="font-medium">{formatClock(seconds * 1000)}</span>
      <span className="text-ink-faint"> / {formatClock(durationMs)}</span>
    </span>
  );
}

function Pace() {
  const { player, silences } = useCall();
  const { rate, isSkippingSilence } = usePlayerState();
  return (
    <>
      {silences.length > 0 && (
        <button
          type="button"
          aria-pressed={isSkippingSilence}
          onClick={() => player.setSkipSilence(!isSkippingSilence)}
          className={clsx(
            'flex h-9 items-center gap-1.5 rounded-lg border px-2.5 text-xs font-medium',
            isSkippingSilence
              ? 'border-accent bg-accent-soft text-accent-strong'
              : 'border-line text-ink-soft hover:bg-raised',
          )}
        >
          <FastForward className="size-3.5" aria-hidden />
          Skip silence
        </button>
      )}
      <Select
        aria-label="Speed"
        value={rate}
        onChange={({ target }) => player.setRate(Number(target.value))}
        className="!w-20 tabular-nums"
      >
        {rates.map((one) => (
          <option key={one} value={one}>
            {one}×
          </option>
        ))}
      </Select>
    </>
  );
}
