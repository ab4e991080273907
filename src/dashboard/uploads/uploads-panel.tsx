import { ChevronDown, ChevronUp, CirclePause, Clock, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button, IconButton } from '../ui/button.tsx';
import { isOpen, type Upload, type UploadQueue, type Uploads } from './queue.ts';
import { UploadRow } from './upload-row.tsx';
import { inWords } from './words.ts';

type Props = { items: Upload[]; uploads: Uploads; queue: UploadQueue };

/** The progress of each file, from upload to score. */
export function UploadsPanel({ items, uploads, queue }: Props) {
  const [isFolded, setFolded] = useState(false);
  const panel = useLiftedToasts();
  const open = items.filter(isOpen).length;
  const failed = items.filter(({ state }) => state.kind === 'failed').length;
  const arrived = items.length - open - failed;
  return (
    <section
      ref={panel}
      aria-label="Uploads"
      className="fixed right-4 bottom-4 z-30 w-[min(24rem,calc(100vw-2rem))] overflow-hidden rounded-xl border border-line bg-surface shadow-float"
    >
      <header className="flex items-center gap-1 border-b border-line bg-raised/50 py-1.5 pr-1.5 pl-4">
        <h2 className="min-w-0 flex-1 truncate text-sm font-semibold">{inWords(items)}</h2>
        {failed > 1 && (
          <Button size="sm" variant="ghost" onClick={() => queue.retry()}>
            Retry all
          </Button>
        )}
        <IconButton
          size="sm"
          label={isFolded ? 'Show uploads' : 'Fold uploads'}
          aria-expanded={!isFolded}
          icon={
            isFolded ? <ChevronUp className="size-4" aria-hidden /> : <ChevronDown className="size-4" aria-hidden />
          }
          onClick={() => setFolded(!isFolded)}
        />
        <IconButton
          size="sm"
          label="Clear finished uploads"
          disabled={open > 0 && arrived + failed === 0}
          icon={<X className="size-4" aria-hidden />}
          onClick={queue.clear}
        />
      </header>
      <Interruption uploads={uploads} queue={queue} />
      {!isFolded && (
        <ul aria-label="Files" className="max-h-72 divide-y divide-line overflow-y-auto">
          {items.map((upload) => (
            <UploadRow key={upload.id} upload={upload} queue={queue} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Why uploads are paused, and what to do. */
function Interruption({ uploads: { pausedBecause, waiting, items }, queue }: Pick<Props, 'uploads' | 'queue'>) {
  const isLeft = items.some(isOpen);
  if (pausedBecause !== null && isLeft) {
    return (
      <div
        role="alert"
        className="flex items-start gap-2 border-b border-line bg-warn-soft px-4 py-2 text-xs text-warn"
      >
        <CirclePause className="mt-0.5 size-3.5 shrink-0" aria-hidden />
        <p className="flex-1">Paused. {pausedBecause}</p>
        <Button size="sm" onClick={queue.goOn}>
          Go on
        </Button>
      </div>
    );
  }
  if (!waiting) return null;
  return (
    <p className="flex items-start gap-2 border-b border-line bg-accent-soft px-4 py-2 text-xs text-accent-strong">
      <Clock className="mt-0.5 size-3.5 shrink-0" aria-hidden />
      {waiting.because} <Countdown key={waiting.untilMs} untilMs={waiting.untilMs} />
    </p>
  );
}

function Countdown({ untilMs }: { untilMs: number }) {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  return <>Goes on in {Math.max(0, Math.ceil((untilMs - nowMs) / 1000))} s.</>;
}

/** Toasts appear above the panel, not on it. */
function useLiftedToasts() {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      style.setProperty('--toast-lift', `${(panel.current?.offsetHeight ?? 0) + 8}px`);
    });
    if (panel.current) observer.observe(panel.current);
    return () => {
      observer.disconnect();
      style.removeProperty('--toast-lift');
    };
  }, []);
  return panel;
}
