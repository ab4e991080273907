import { Search, X } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { IconButton } from '../ui/button.tsx';
import { inputClass } from '../ui/field.tsx';
import { isShortcut } from './use-list-keys.ts';

const pauseMs = 250;

type Props = { value: string; onChange: (q: string | undefined) => void };

/** Searches when the user pauses, not with each letter. `/` focuses it from anywhere on the screen. */
export function SearchBox({ value, onChange }: Props) {
  const [draft, setDraft] = useState(value);
  const sent = useRef(value);
  const box = useRef<HTMLInputElement>(null);
  const send = (text: string): void => {
    sent.current = text.trim();
    onChange(sent.current || undefined);
  };
  const latest = useRef(send);
  useEffect(() => {
    latest.current = send;
  });
  useEffect(() => {
    if (draft.trim() === sent.current) return undefined;
    const timer = setTimeout(() => latest.current(draft), pauseMs);
    return () => clearTimeout(timer);
  }, [draft]);
  // The address changed in another way: the back button, a saved view.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setDraft(value);
  }, [value]);
  // In a layout effect, so that a key pressed immediately is not lost.
  useLayoutEffect(() => {
    function goThere(event: KeyboardEvent): void {
      if (event.key !== '/' || !isShortcut(event)) return;
      event.preventDefault();
      box.current?.focus();
    }
    addEventListener('keydown', goThere);
    return () => removeEventListener('keydown', goThere);
  }, []);
  const clear = (): void => {
    setDraft('');
    send('');
    box.current?.focus();
  };
  return (
    <div className="relative w-full lg:w-72 lg:flex-1">
      <Search className="pointer-events-none absolute top-2.5 left-3 size-4 text-ink-faint" aria-hidden />
      <input
        ref={box}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        aria-keyshortcuts="/"
        aria-label="Search calls"
        placeholder="Search what was said…"
        value={draft}
        maxLength={200}
        onChange={({ target }) => setDraft(target.value)}
        onKeyDown={({ key }) => {
          if (key === 'Enter') send(draft);
          if (key === 'Escape' && draft !== '') clear();
        }}
        className={`${inputClass} pl-9 text-ellipsis ${draft === '' ? '' : 'pr-9'}`}
      />
      {draft !== '' && (
        <IconButton
          label="Clear search"
          size="sm"
          icon={<X className="size-4" aria-hidden />}
          onClick={clear}
          className="absolute top-1 right-1"
        />
      )}
    </div>
  );
}
