import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { useEditor } from './editor-context.tsx';

type RowControlsProps = {
  name: string;
  isFirst: boolean;
  isLast: boolean;
  onMove: (step: -1 | 1) => void;
  onRemove: () => void;
};

/** Move up, move down, remove. At the ends, the button stays focusable, so that focus is not lost. */
export function RowControls({ name, isFirst, isLast, onMove, onRemove }: RowControlsProps) {
  const { isReadOnly } = useEditor();
  if (isReadOnly) return null;
  return (
    <span className="flex shrink-0">
      <IconButton
        size="sm"
        label={`Move ${name} up`}
        aria-disabled={isFirst}
        onClick={() => onMove(-1)}
        onKeyDown={moveByKey(onMove)}
        icon={<ArrowUp className="size-3.5" aria-hidden />}
      />
      <IconButton
        size="sm"
        label={`Move ${name} down`}
        aria-disabled={isLast}
        onClick={() => onMove(1)}
        onKeyDown={moveByKey(onMove)}
        icon={<ArrowDown className="size-3.5" aria-hidden />}
      />
      <IconButton
        size="sm"
        label={`Remove ${name}`}
        onClick={onRemove}
        onKeyDown={moveByKey(onMove)}
        icon={<Trash2 className="size-3.5" aria-hidden />}
      />
    </span>
  );
}

/** Alt with an arrow key moves the focused row. */
export function moveByKey(onMove: (step: -1 | 1) => void) {
  return (event: KeyboardEvent): void => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    event.stopPropagation();
    onMove(event.key === 'ArrowUp' ? -1 : 1);
  };
}
