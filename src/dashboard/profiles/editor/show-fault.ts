import type { RefObject } from 'react';
import type { Draft } from './draft.ts';

type ShowOptions = { place: string; draft: Draft; open: (uid: string) => void; root: RefObject<HTMLElement | null> };

/** Opens the row with the error and focuses its first field. */
export function showFault({ place, draft, open, root }: ShowOptions): void {
  const [part, index = '', , inner = ''] = place.split('.');
  const category = part === 'categories' ? draft.categories[Number(index)] : undefined;
  const row = part === 'compliance' ? draft.compliance[Number(index)] : category?.checks[Number(inner)];
  if (row) open(row.uid);
  setTimeout(() => {
    const within = row ? root.current?.querySelector(`[data-uid="${row.uid}"]`) : root.current;
    const field = within?.querySelector<HTMLElement>('[aria-invalid="true"]');
    field?.focus();
    field?.scrollIntoView({ block: 'center' });
  }, 50);
}
