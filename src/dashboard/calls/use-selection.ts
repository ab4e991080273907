import { useMemo, useState } from 'react';
import { useCan } from '../session/me.tsx';
import type { Call } from './use-calls.ts';

export type Selection = {
  /** False if the role has no bulk actions. */
  isOffered: boolean;
  selected: Call[];
  has: (id: string) => boolean;
  toggle: (call: Call) => void;
  toggleAll: () => void;
  clear: () => void;
  state: 'none' | 'some' | 'all';
};

/** Only visible rows are selected. */
export function useSelection(rows: Call[]): Selection {
  const can = useCan();
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const selected = useMemo(() => rows.filter(({ id }) => ids.has(id)), [rows, ids]);
  const state = selected.length === 0 ? 'none' : selected.length === rows.length ? 'all' : 'some';
  return {
    isOffered: can('records:delete') || can('analyses:reanalyze'),
    selected,
    state,
    has: (id) => ids.has(id),
    toggle: ({ id }) => {
      setIds((before) => new Set(before.has(id) ? [...before].filter((other) => other !== id) : [...before, id]));
    },
    toggleAll: () => setIds(new Set(state === 'all' ? [] : rows.map(({ id }) => id))),
    clear: () => setIds(new Set()),
  };
}
