import { useEffectEvent, useLayoutEffect, type RefObject } from 'react';

type Options = {
  /** Contains the rows; each has one link with `data-row-link`. */
  container: RefObject<HTMLElement | null>;
  /** What `x` does with the focused row. */
  onSelect?: (index: number) => void;
};

/** `j` and `k` move between rows, `Enter` opens (it is a link), `x` selects. */
export function useListKeys({ container, onSelect }: Options): void {
  const press = useEffectEvent((event: KeyboardEvent): void => {
    if (!isShortcut(event)) return;
    const links = [...(container.current?.querySelectorAll<HTMLElement>('[data-row-link]') ?? [])];
    const row = document.activeElement?.closest('tr, li');
    const at = links.findIndex((link) => row?.contains(link));
    const focus = (index: number): void => {
      const link = links[Math.max(0, Math.min(links.length - 1, index))];
      link?.focus();
      link?.scrollIntoView({ block: 'nearest' });
    };
    if (event.key === 'j') focus(at + 1);
    else if (event.key === 'k') focus(at < 0 ? links.length - 1 : at - 1);
    else if (event.key === 'x' && at >= 0) onSelect?.(at);
    else return;
    event.preventDefault();
  });
  // In a layout effect, so that a key pressed immediately is not lost.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => press(event);
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

/** A key without modifiers, pressed where it does not type. */
export function isShortcut({ metaKey, ctrlKey, altKey, target }: KeyboardEvent): boolean {
  return !metaKey && !ctrlKey && !altKey && !isTyping(target);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('[role="dialog"], [role="alertdialog"], [role="menu"]')) return true;
  const isBox = target instanceof HTMLInputElement && target.type === 'checkbox';
  return target.isContentEditable || (!isBox && ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));
}
