import { Upload } from 'lucide-react';
import { useEffect, useState } from 'react';
import { toast } from '../ui/toast.tsx';

/** The whole window accepts dropped files, and says so while some are dragged over it. */
export function DropZone({ onFiles }: { onFiles: (files: File[]) => void }) {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    let depth = 0;
    const listeners = {
      dragenter(event: DragEvent) {
        if (!hasFiles(event)) return;
        event.preventDefault();
        depth += 1;
        setOver(true);
      },
      dragover(event: DragEvent) {
        if (!hasFiles(event) || !event.dataTransfer) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
      },
      dragleave(event: DragEvent) {
        if (!hasFiles(event)) return;
        depth = Math.max(0, depth - 1);
        if (depth === 0) setOver(false);
      },
      drop(event: DragEvent) {
        if (!hasFiles(event)) return;
        event.preventDefault();
        depth = 0;
        setOver(false);
        const files = filesOf(event);
        if (files.length > 0) onFiles(files);
      },
    };
    const entries = Object.entries(listeners) as [keyof typeof listeners, (event: DragEvent) => void][];
    for (const [name, listener] of entries) addEventListener(name, listener);
    return () => {
      for (const [name, listener] of entries) removeEventListener(name, listener);
    };
  }, [onFiles]);
  if (!isOver) return null;
  return (
    <div className="pointer-events-none fixed inset-0 z-60 grid place-items-center bg-canvas/80 p-4 backdrop-blur-xs">
      <div className="flex w-full max-w-lg flex-col items-center gap-3 rounded-2xl border-2 border-dashed border-accent bg-surface px-6 py-14 text-center shadow-float">
        <Upload className="size-7 text-accent" aria-hidden />
        <p className="text-base font-semibold">Drop recordings to upload them</p>
        <p className="text-sm text-ink-soft">WAV, MP3, OGG, FLAC or M4A, up to 500 MB each</p>
      </div>
    </div>
  );
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false;
}

function filesOf({ dataTransfer }: DragEvent): File[] {
  const items = [...(dataTransfer?.items ?? [])];
  const isFolder = items.map((item) => item.webkitGetAsEntry()?.isDirectory ?? false);
  if (isFolder.includes(true)) toast.done('Folders are left out', 'Open the folder and drop the files in it.');
  return [...(dataTransfer?.files ?? [])].filter((_file, index) => isFolder[index] !== true);
}
