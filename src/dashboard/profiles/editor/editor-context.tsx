import { createContext, useContext } from 'react';
import type { Outputs } from '../../lib/trpc.ts';
import type { Draft } from './draft.ts';

type Preview = Outputs['profiles']['preview'];

export type Editor = {
  draft: Draft;
  change: (update: (draft: Draft) => Draft) => void;
  faults: ReadonlyMap<string, string>;
  /** After saving was attempted, untouched fields show their errors too. */
  showsAll: boolean;
  isReadOnly: boolean;
  /** The result of the draft on the chosen call. */
  preview: Preview | undefined;
  openUids: ReadonlySet<string>;
  toggle: (uid: string) => void;
};

const EditorContext = createContext<Editor | null>(null);
export const EditorProvider = EditorContext.Provider;

export function useEditor(): Editor {
  const editor = useContext(EditorContext);
  if (!editor) throw new Error('useEditor needs an editor around it.');
  return editor;
}

/** Whether there is an error at or below this path. */
export function hasFault(faults: ReadonlyMap<string, string>, path: string): boolean {
  return [...faults.keys()].some((place) => place === path || place.startsWith(`${path}.`));
}

/** The first error in a list of lines, with its line. */
export function faultOfLines(faults: ReadonlyMap<string, string>, path: string): string | undefined {
  const own = faults.get(path);
  if (own !== undefined) return own;
  for (const [place, message] of faults) {
    if (place.startsWith(`${path}.`)) return `Line ${Number(place.slice(path.length + 1)) + 1}: ${message}`;
  }
  return undefined;
}
