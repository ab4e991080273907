import { ChevronDown, ChevronUp, Search, X } from 'lucide-react';
import { IconButton } from '../../ui/button.tsx';
import { inputClass } from '../../ui/field.tsx';
import type { useFind } from './use-find.ts';

type Props = { find: ReturnType<typeof useFind> };

export function FindBar({ find }: Props) {
  const { text, isFinding, count, place, step } = find;
  return (
    <div role="search" className="flex items-center gap-1 border-b border-line px-4 py-2 sm:px-6">
      <div className="relative min-w-0 flex-1">
        <Search className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-ink-faint" aria-hidden />
        <input
          id="find-in-transcript"
          type="search"
          aria-label="Find in the transcript"
          placeholder="Find in the transcript"
          value={text}
          onChange={({ target }) => find.find(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') find.find('');
            if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
          }}
          className={`${inputClass} pl-8 [&::-webkit-search-cancel-button]:hidden`}
        />
      </div>
      {isFinding && (
        <>
          <span role="status" className="px-1 text-xs whitespace-nowrap text-ink-soft tabular-nums">
            {count === 0 ? 'Not found' : `${place + 1} of ${count}`}
          </span>
          <IconButton
            size="sm"
            label="Previous place"
            disabled={count === 0}
            onClick={() => step(-1)}
            icon={<ChevronUp className="size-4" aria-hidden />}
          />
          <IconButton
            size="sm"
            label="Next place"
            disabled={count === 0}
            onClick={() => step(1)}
            icon={<ChevronDown className="size-4" aria-hidden />}
          />
          <IconButton
            size="sm"
            label="Clear"
            onClick={() => find.find('')}
            icon={<X className="size-4" aria-hidden />}
          />
        </>
      )}
    </div>
  );
}
